//! Which text translates which, how we know, how sure.
