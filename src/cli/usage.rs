//! What is wrong with a command line, in Chinese: clap says it in English only.

use crate::render::phrases::chinese;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// A fault of the command line in Chinese, with how it is written; none for what is no fault.
pub fn in_chinese(error: &clap::Error) -> Option<String> {
    let value = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => Some(texts.join("、")),
        Some(ContextValue::StyledStr(text)) => Some(text.to_string()),
        Some(ContextValue::StyledStrs(texts)) => Some(
            texts
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("、"),
        ),
        Some(ContextValue::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let arg = value(ContextKind::InvalidArg).unwrap_or_default();
    let given = value(ContextKind::InvalidValue).unwrap_or_default();
    let fault = match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => return None,
        ErrorKind::InvalidValue if given.is_empty() => format!("{arg} 需要一个值"),
        ErrorKind::InvalidValue => format!("“{given}”不能用作 {arg} 的值"),
        ErrorKind::UnknownArgument => format!("没有选项 {arg}"),
        ErrorKind::InvalidSubcommand => {
            format!(
                "没有命令“{}”",
                value(ContextKind::InvalidSubcommand).unwrap_or_default()
            )
        }
        ErrorKind::ValueValidation => format!("“{given}”不能用作 {arg} 的值"),
        ErrorKind::MissingRequiredArgument => format!("缺少 {arg}"),
        ErrorKind::MissingSubcommand => "须写明做什么".to_owned(),
        ErrorKind::ArgumentConflict => match value(ContextKind::PriorArg) {
            Some(prior) if prior == arg => format!("{arg} 只能用一次"),
            Some(prior) => format!("{arg} 不能与 {prior} 一起使用"),
            None => message(error),
        },
        ErrorKind::TooManyValues => format!("{arg} 的值太多：“{given}”"),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => format!("{arg} 的值的个数不对"),
        ErrorKind::NoEquals => format!("{arg} 与它的值之间要写 ="),
        ErrorKind::InvalidUtf8 => "命令行中有不是 UTF-8 的文字".to_owned(),
        _ => message(error),
    };
    let mut text = format!("错误：{fault}\n");
    for (kind, lead) in [
        (ContextKind::ValidValue, "可用的值："),
        (ContextKind::ValidSubcommand, "可用："),
        (ContextKind::SuggestedArg, "是否想写 "),
        (ContextKind::SuggestedValue, "是否想写 "),
        (ContextKind::SuggestedSubcommand, "是否想写 "),
    ] {
        if let Some(words) = value(kind).filter(|words| !words.is_empty()) {
            text.push_str(&format!("  {lead}{words}\n"));
        }
    }
    if let Some(usage) = value(ContextKind::Usage) {
        let usage = usage.trim().trim_start_matches("Usage:").trim();
        text.push_str(&format!("\n用法：{usage}\n"));
    }
    text.push_str("\n详见 shiyi --help\n");
    Some(text)
}

/// What clap's message says is wrong, in one line, without how the command line is written instead.
pub fn fault(message: &str) -> String {
    let lines = message.trim_start_matches("error: ").lines().map(str::trim);
    let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    lines.join(" ")
}

/// What an error of our own says, without what clap puts around it.
fn message(error: &clap::Error) -> String {
    let text = error.to_string();
    let first = text
        .trim_start_matches("error: ")
        .lines()
        .next()
        .unwrap_or_default();
    chinese(first).into_owned()
}
