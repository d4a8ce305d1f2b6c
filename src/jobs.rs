//! How is work spread over the cores without changing its result?
//!
//! Whatever the number of jobs, results are taken in the order of what they were made from; so one job and many
//! make the same index, byte for byte.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};

/// One job: everything happens in the thread that asks for it.
pub const ONE: NonZeroUsize = NonZeroUsize::MIN;

/// As many jobs as the process may use cores.
pub fn available() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(ONE)
}

/// Items that are handed out beyond one for each job: memory stays bounded however many there are.
const AHEAD: usize = 1;

/// Works on each item, `jobs` at once, and hands the results to `take` in the order of the items.
///
/// Each thread calls `worker` once for a function of its own, which may keep what helps it from item to item; its
/// results must not depend on what it keeps.
///
/// # Errors
///
/// The first error of `take`; no result is taken after it.
pub fn in_order<T, R, E, W>(
    jobs: NonZeroUsize,
    items: impl IntoIterator<Item = T>,
    worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    T: Send,
    R: Send,
    W: FnMut(T) -> R,
{
    if jobs == ONE {
        let mut work = worker();
        return items.into_iter().try_for_each(|item| take(work(item)));
    }
    let (queue, waiting) = channel::<(T, SyncSender<R>)>();
    let waiting = Mutex::new(waiting);
    std::thread::scope(|scope| {
        for _ in 0..jobs.get() {
            scope.spawn(|| {
                let mut work = worker();
                loop {
                    let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((item, result)) = next else { return };
                    // Nobody waits for it any more when an error ended the work.
                    let _ = result.send(work(item));
                }
            });
        }
        // The queue ends with this closure, and with the queue the threads.
        let queue = queue;
        let mut ahead: VecDeque<Receiver<R>> = VecDeque::new();
        let mut next = |ahead: &mut VecDeque<Receiver<R>>| match ahead.pop_front().map(|result| result.recv())
        {
            Some(Ok(result)) => take(result),
            // A thread that panicked; leaving the scope passes the panic on.
            Some(Err(_)) | None => Ok(()),
        };
        for item in items {
            let (result, taken) = sync_channel(1);
            let _ = queue.send((item, result));
            ahead.push_back(taken);
            if ahead.len() > jobs.get() + AHEAD {
                next(&mut ahead)?;
            }
        }
        while !ahead.is_empty() {
            next(&mut ahead)?;
        }
        Ok(())
    })
}

/// Does two things, at once where there may be more than one job.
pub fn both<A: Send, B>(
    jobs: NonZeroUsize,
    beside: impl FnOnce() -> A + Send,
    here: impl FnOnce() -> B,
) -> (A, B) {
    if jobs == ONE {
        let here = here();
        return (beside(), here);
    }
    std::thread::scope(|scope| {
        let beside = scope.spawn(beside);
        let here = here();
        match beside.join() {
            Ok(result) => (result, here),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        for jobs in [1, 2, 7] {
            let mut taken = Vec::new();
            let result: Result<(), ()> = in_order(
                NonZeroUsize::new(jobs).unwrap(),
                0..200u64,
                || {
                    |item| {
                        // Late items are ready first.
                        std::thread::sleep(std::time::Duration::from_micros(200 - item));
                        item * item
                    }
                },
                |squared| {
                    taken.push(squared);
                    Ok(())
                },
            );
            assert_eq!(result, Ok(()));
            assert_eq!(taken, (0..200).map(|item| item * item).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        for jobs in [1, 3] {
            let mut taken = 0;
            let result = in_order(
                NonZeroUsize::new(jobs).unwrap(),
                0..1_000_000,
                || |item: u32| item,
                |item| {
                    taken += 1;
                    if item == 5 { Err("enough") } else { Ok(()) }
                },
            );
            assert_eq!((result, taken), (Err("enough"), 6));
        }
    }
}
