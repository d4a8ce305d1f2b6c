//! Condition, game and corpus in; verdict and the rule that decides it out.
