//! The segmenter: the one file that names jieba-rs.
