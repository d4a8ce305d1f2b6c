//! The cut of Chinese is jieba's, on every Chinese text there is.

use crate::real_data::shared;
use jieba_rs::Jieba;
use shiyi::fold::{Folded, is_han};
use shiyi::segment::{Segmenter, build_dictionary};
use shiyi::source::decode;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// Every distinct run of Han characters in the files of a folder, folded.
fn han_runs(folder: &Path, runs: &mut BTreeSet<String>) {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            han_runs(&path, runs);
        } else if let Ok(text) = decode(&fs::read(&path).unwrap(), None) {
            for line in text.text.lines().filter(|line| line.contains(is_han)) {
                let folded = Folded::new(line);
                let all = folded
                    .chars()
                    .split(|c| !is_han(*c))
                    .filter(|run| !run.is_empty());
                runs.extend(all.map(|run| run.iter().collect::<String>()));
            }
        }
    }
}

#[test]
fn chinese_texts_are_cut_as_jieba_cuts_them() {
    compare(23);
}

#[test]
#[ignore = "a minute"]
fn every_chinese_text_is_cut_as_jieba_cuts_it() {
    compare(1);
}

/// Compares each `step`th run.
fn compare(step: usize) {
    let Some(folder) = shared("data") else { return };
    let mut runs = BTreeSet::new();
    han_runs(&folder, &mut runs);
    let runs: Vec<String> = runs.into_iter().step_by(step).collect();
    let own: Vec<String> = [
        "横置",
        "先攻",
        "指示物",
        "地底城",
        "双面牌",
        "践踏",
        "牌手",
        "坟墓场",
    ]
    .map(str::to_owned)
    .into();
    let mut jieba = Jieba::new();
    let frequencies: Vec<usize> = own.iter().map(|word| jieba.suggest_freq(word)).collect();
    for (word, frequency) in own.iter().zip(frequencies) {
        jieba.add_word(word, Some(frequency), None);
    }
    let dictionary = build_dictionary(runs.iter().map(String::as_str), &own).unwrap();
    let segmenter = Segmenter::new(dictionary).unwrap();
    let mut n_words = 0;
    for run in &runs {
        let chars: Vec<char> = run.chars().collect();
        let cut: Vec<String> = segmenter
            .cut(&chars)
            .into_iter()
            .map(|word| chars[word].iter().collect())
            .collect();
        let expected: Vec<&str> = jieba
            .cut(run, false)
            .into_iter()
            .map(|token| token.word)
            .collect();
        assert_eq!(cut, expected, "{run}");
        n_words += cut.len();
    }
    let _ = writeln!(
        std::io::stderr(),
        "segmentation: {} runs, {n_words} words, no difference",
        runs.len()
    );
    assert!(runs.len() > 1_000);
}
