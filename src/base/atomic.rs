//! Write a file so that a reader sees the old one or the whole new one, never half of it.
//!
//! The bytes go to a temporary name in the same folder, which is renamed over the target at
//! [`PendingFile::commit`]. Without a commit the target is untouched and the temporary file is removed.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Removes what processes that are gone left behind in `folder`: a process that is killed cannot clean up
/// after itself. Files of a living process stay, and where that cannot be told all stay.
pub fn sweep(folder: &Path) {
    if !Path::new("/proc/self").exists() {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if writer_of(&name).is_some_and(|process| !Path::new("/proc").join(process.to_string()).exists()) {
            // Another sweep may have been faster.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The process that wrote a temporary file of this name.
fn writer_of(name: &str) -> Option<u32> {
    let stem = name.strip_prefix('.')?.strip_suffix(".tmp")?;
    let (process, count) = stem.rsplit('.').next()?.split_once('-')?;
    count.parse::<u64>().ok()?;
    process.parse().ok()
}

/// Tells apart two files that one process writes to the same target at once.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A file that does not have its name yet.
#[derive(Debug)]
pub struct PendingFile {
    target: PathBuf,
    temporary: PathBuf,
    handle: Handle,
    committed: bool,
}

/// Writes to a [`PendingFile`], unbuffered. Remembers a failure, because encoders write their last
/// bytes in a destructor, where an error is lost.
#[derive(Debug, Clone)]
pub struct Handle {
    file: Arc<File>,
    failure: Arc<Mutex<Option<io::Error>>>,
}

impl PendingFile {
    /// Starts a file that will become `target`; makes the folder if there is none.
    ///
    /// # Errors
    ///
    /// When the folder or the temporary file cannot be made, or `target` names no file.
    pub fn create(target: &Path) -> io::Result<Self> {
        let name = target.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "names no file"))?;
        let mut temporary_name = OsString::from(".");
        temporary_name.push(name);
        temporary_name.push(format!(".{}-{}.tmp", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
        if let Some(folder) = target.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)?;
        }
        let temporary = target.with_file_name(temporary_name);
        let file = Arc::new(File::create_new(&temporary)?);
        let handle = Handle { file, failure: Arc::default() };
        Ok(Self { target: target.to_path_buf(), temporary, handle, committed: false })
    }

    /// A writer that an encoder may own. Buffer it if it writes in small pieces.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Gives the file its name, replacing what had it.
    ///
    /// # Errors
    ///
    /// When a write failed, even one whose error was lost, or the file cannot be renamed.
    pub fn commit(mut self) -> io::Result<()> {
        let failure = self.handle.failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        if let Some(error) = failure {
            return Err(error);
        }
        fs::rename(&self.temporary, &self.target)?;
        self.committed = true;
        Ok(())
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if !self.committed {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

impl Handle {
    fn noted<T>(&self, result: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &result
            && error.kind() != io::ErrorKind::Interrupted
        {
            let copy = error
                .raw_os_error()
                .map_or_else(|| io::Error::new(error.kind(), error.to_string()), io::Error::from_raw_os_error);
            *self.failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(copy);
        }
        result
    }
}

impl Write for Handle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = (&*self.file).write(bytes);
        self.noted(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = (&*self.file).flush();
        self.noted(result)
    }
}

/// Writes `bytes` to `target` in one step.
///
/// # Errors
///
/// As [`PendingFile::create`] and [`PendingFile::commit`].
pub fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let pending = PendingFile::create(target)?;
    pending.handle().write_all(bytes)?;
    pending.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn nothing_has_the_name_until_the_commit() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("deep").join("table.csv");
        let pending = PendingFile::create(&target).unwrap();
        pending.handle().write_all(b"new").unwrap();
        assert!(!target.exists());
        pending.commit().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert_eq!(names_in(target.parent().unwrap()), ["table.csv"]);
    }

    #[test]
    fn what_is_not_committed_leaves_the_old_file_and_no_litter() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("table.csv");
        write(&target, b"old").unwrap();
        let pending = PendingFile::create(&target).unwrap();
        pending.handle().write_all(b"half of the n").unwrap();
        drop(pending);
        assert_eq!(fs::read(&target).unwrap(), b"old");
        assert_eq!(names_in(folder.path()), ["table.csv"]);
    }

    #[test]
    fn a_failed_write_fails_the_commit_though_its_error_was_lost() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("table.csv");
        let mut pending = PendingFile::create(&target).unwrap();
        let read_only = Arc::new(File::open(&pending.temporary).unwrap());
        pending.handle.file = read_only;
        let _ = pending.handle().write_all(b"lost");
        assert!(pending.commit().is_err());
        assert!(!target.exists());
    }
}
