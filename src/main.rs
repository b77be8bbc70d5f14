//! Parse, run, exit status.

use std::process::ExitCode;

fn main() -> ExitCode {
    quiet_the_driver();
    posegrid::cli::main()
}

/// Settings of software Vulkan that belong to the process, where the user set none: each worker has a
/// device of its own, so the driver's threads would only get in each other's way; and without a runtime
/// folder Mesa prints two lines of error for each device.
#[expect(unsafe_code, reason = "the environment is set before any thread exists, which makes it sound")]
fn quiet_the_driver() {
    #[expect(clippy::disallowed_methods, reason = "Mesa only asks that the folder exists")]
    let folder = std::env::temp_dir();
    for (name, value) in [("LP_NUM_THREADS", "0".into()), ("XDG_RUNTIME_DIR", folder.into_os_string())] {
        if std::env::var_os(name).is_none() {
            // SAFETY: no other thread runs yet.
            unsafe { std::env::set_var(name, value) };
        }
    }
}
