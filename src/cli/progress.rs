//! A bar on stderr for the building of an index that takes longer than a second. Only a person sees it: it is drawn on
//! a terminal alone, and gone when the answer comes.

use crate::library::progress::Progress;
use crate::render::message::Ui;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::sync::Mutex;
use std::time::Duration;

/// How long an index may be built without a bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the bar moves where nothing can be counted.
const TICK: Duration = Duration::from_millis(120);

/// What shows the steps that it is told; nothing where stderr is no terminal.
pub fn shower(ui: Ui) -> Option<impl Fn(Progress) + Send + Sync + 'static> {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if dumb || !std::io::stderr().is_terminal() {
        return None;
    }
    let shown: Mutex<Option<ProgressBar>> = Mutex::new(None);
    Some(move |progress| {
        let Ok(mut shown) = shown.lock() else { return };
        if progress == Progress::Ended {
            if let Some(bar) = shown.take() {
                bar.finish_and_clear();
            }
            return;
        }
        let bar = shown.get_or_insert_with(patient_bar);
        match progress {
            Progress::Read { done, total } => {
                bar.set_length(total as u64);
                bar.set_position(done as u64);
                bar.set_message(ui.reading_texts());
            }
            Progress::Indexing { entries } => {
                // Nothing to count: how long it takes is not known.
                bar.set_style(style("{spinner} {msg} ({elapsed})"));
                bar.set_message(ui.indexing(entries));
            }
            Progress::Ended => {}
        }
    })
}

/// A bar that nobody sees until it is worth it.
fn patient_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden())
        .with_style(style("{msg} [{bar:30}] {pos}/{len}"));
    let later = bar.clone();
    std::thread::spawn(move || {
        std::thread::sleep(PATIENCE);
        if !later.is_finished() {
            later.set_draw_target(ProgressDrawTarget::stderr());
            later.enable_steady_tick(TICK);
        }
    });
    bar
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
        .tick_chars("-\\|/ ")
}
