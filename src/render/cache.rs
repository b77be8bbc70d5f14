//! Keep what was used last within a budget of bytes.
//!
//! Pure bookkeeping: what an entry is, and what dropping it frees, is the caller's.

use std::collections::HashMap;
use std::hash::Hash;

/// Entries by key, each with its size and when it was last used.
#[derive(Debug)]
pub(super) struct Cache<K, V> {
    entries: HashMap<K, Entry<V>>,
    uses: u64,
    bytes: u64,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    bytes: u64,
    last_use: u64,
}

impl<K: Hash + Eq + Clone, V> Cache<K, V> {
    pub(super) fn new() -> Self {
        Self { entries: HashMap::new(), uses: 0, bytes: 0 }
    }

    /// Bytes of all entries.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The entry, which counts as a use.
    pub(super) fn get(&mut self, key: &K) -> Option<&V> {
        self.uses += 1;
        let uses = self.uses;
        self.entries.get_mut(key).map(|entry| {
            entry.last_use = uses;
            &entry.value
        })
    }

    /// The entry, without counting it as a use.
    pub(super) fn peek(&self, key: &K) -> Option<&V> {
        self.entries.get(key).map(|entry| &entry.value)
    }

    /// Adds an entry, used now; replaces one of the same key.
    pub(super) fn insert(&mut self, key: K, value: V, bytes: u64) {
        self.uses += 1;
        self.bytes += bytes;
        if let Some(old) = self.entries.insert(key, Entry { value, bytes, last_use: self.uses }) {
            self.bytes -= old.bytes;
        }
    }

    /// Drops the entry that was unused for longest among those that `may_go`; false where none may.
    pub(super) fn drop_oldest(&mut self, may_go: impl Fn(&K, &V) -> bool) -> bool {
        let oldest = self
            .entries
            .iter()
            .filter(|(key, entry)| may_go(key, &entry.value))
            .min_by_key(|(_, entry)| entry.last_use)
            .map(|(key, _)| key.clone());
        let Some(entry) = oldest.and_then(|key| self.entries.remove(&key)) else { return false };
        self.bytes -= entry.bytes;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled() -> Cache<&'static str, u32> {
        let mut cache = Cache::new();
        cache.insert("a", 1, 10);
        cache.insert("b", 2, 20);
        cache.insert("c", 3, 30);
        cache
    }

    #[test]
    fn what_was_used_longest_ago_goes_first() {
        let mut cache = filled();
        assert_eq!(cache.get(&"a"), Some(&1));
        assert!(cache.drop_oldest(|_, _| true));
        assert_eq!((cache.peek(&"b"), cache.bytes()), (None, 40));
        assert!(cache.drop_oldest(|_, _| true));
        assert_eq!((cache.peek(&"c"), cache.bytes()), (None, 10));
    }

    #[test]
    fn what_may_not_go_stays() {
        let mut cache = filled();
        assert!(cache.drop_oldest(|key, _| *key == "c"));
        assert!(!cache.drop_oldest(|_, _| false));
        assert_eq!((cache.peek(&"a"), cache.peek(&"c"), cache.bytes()), (Some(&1), None, 30));
    }

    #[test]
    fn replacing_an_entry_counts_its_bytes_once() {
        let mut cache = filled();
        cache.insert("a", 4, 5);
        assert_eq!((cache.peek(&"a"), cache.bytes()), (Some(&4), 55));
    }
}
