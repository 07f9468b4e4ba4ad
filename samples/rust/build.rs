//! Generates the kernels while the package is built: `squall compile` writes C and declarations for Rust, the C
//! compiler a static library. squall is $SQUALL or in PATH, the compiler $CC or cc, the archiver $AR or ar.

use std::env;
use std::path::Path;
use std::process::Command;

const KERNELS: &str = "layer"; // kernels/layer.sq

fn main() {
    let out = env::var("OUT_DIR").unwrap();
    let at = |suffix: &str| format!("{out}/{KERNELS}.{suffix}");
    let (c, object, depfile) = (at("c"), at("o"), at("d"));
    run(Command::new(tool("SQUALL", "squall"))
        .arg("compile")
        .arg(format!("kernels/{KERNELS}.sq"))
        .arg(format!("--targets={}", targets()))
        .args(["-o", &c, &format!("--bindings={}", at("rs"))])
        .args(["-MD", "-MF", &depfile, "-MT", "kernels"]));
    run(Command::new(tool("CC", "cc")).args(["-O2", "-fPIC", "-c", &c, "-o", &object]));
    run(Command::new(tool("AR", "ar")).args(["crs", &format!("{out}/lib{KERNELS}.a"), &object]));
    println!("cargo:rustc-link-search=native={out}");
    println!("cargo:rustc-link-lib=static={KERNELS}");
    if env::var("CARGO_CFG_UNIX").is_ok() {
        println!("cargo:rustc-link-lib=m");
    }
    for file in dependencies(&std::fs::read_to_string(&depfile).expect("the depfile")) {
        println!("cargo:rerun-if-changed={file}");
    }
    println!("cargo:rerun-if-changed=kernels"); // a .sched that appears or goes
    println!("cargo:rerun-if-changed=build.rs");
}

/// The program that a variable of the environment names; one of another name or time builds anew.
fn tool(variable: &str, name: &str) -> String {
    println!("cargo:rerun-if-env-changed={variable}");
    let tool = env::var(variable).unwrap_or_else(|_| name.to_string());
    if Path::new(&tool).is_absolute() {
        println!("cargo:rerun-if-changed={tool}");
    }
    tool
}

/// One file for all processors of an architecture; without `openmp` no function starts a thread.
fn targets() -> &'static str {
    match env::var("CARGO_CFG_TARGET_ARCH").unwrap().as_str() {
        "x86_64" => "generic,avx2,avx512",
        "aarch64" => "generic,neon",
        _ => "generic",
    }
}

/// Runs it; what it says is shown also where the build goes on.
fn run(command: &mut Command) {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = (command.output()).unwrap_or_else(|e| panic!("{name} cannot be run: {e}"));
    let said = String::from_utf8_lossy(&done.stderr);
    if !done.status.success() {
        eprintln!("{said}{name}: {}", done.status);
        std::process::exit(1);
    }
    for line in said.lines() {
        println!("cargo:warning={line}");
    }
}

/// The files behind the colon of a rule as make and ninja read it.
fn dependencies(rule: &str) -> Vec<String> {
    let (_, rest) = rule.split_once(": ").expect("a rule");
    let (mut files, mut file) = (Vec::new(), String::new());
    let mut chars = rest.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(' ' | '#' | ':')) | ('$', Some('$')) => file.extend(chars.next()),
            ('\\', Some('\n')) | (' ' | '\n', _) => files.push(std::mem::take(&mut file)),
            _ => file.push(c),
        }
    }
    files.push(file);
    files.retain(|f| !f.is_empty());
    files
}
