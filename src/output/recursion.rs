//! Limits the recursion of `--jq` filters. The library uses the stack, and a program whose stack is
//! full is aborted. So filters run on a thread with a large stack, and each call of a definition
//! checks how much of the stack is in use.

use crate::error::{Error, Kind, Result};
use jaq_core::data::JustLut;
use jaq_core::load::lex::{StrPart, Tok, Token};
use jaq_core::load::parse::{BinaryOp, Def, Term};
use jaq_core::native::Fun;
use jaq_core::{Exn, Native};
use jaq_json::Val;
use std::cell::Cell;
use std::thread;

/// The size of the stack in bytes. The system provides memory only for the part that is used.
const STACK_SIZE: usize = 1 << 30;
/// The most bytes of the stack that calls may use. The rest is for nested values.
const MAX_CALL_STACK: usize = STACK_SIZE / 4;

/// The name of the function that checks the stack.
const CHECK: &str = "sitectl_check_stack";

thread_local! {
    /// An address at the start of this thread's large stack; None on other threads.
    static STACK_START: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Runs `work` on a thread with a large stack, or on this thread if it has one.
///
/// # Errors
/// The error of `work`, or of a system that provides no such thread.
pub fn with_large_stack<T: Send>(work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    if STACK_START.get().is_some() {
        return work();
    }
    let on_thread = || {
        STACK_START.set(Some(stack_address()));
        work()
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new()
            .stack_size(STACK_SIZE)
            .spawn_scoped(scope, on_thread);
        match thread {
            Ok(thread) => thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => {
                let message = format!("--jq: could not start a thread: {error}");
                Err(Error::new(Kind::Error, message))
            }
        }
    })
}

/// Returns the address of a local variable, which shows how much of the stack is in use.
#[inline(never)]
fn stack_address() -> usize {
    let local = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&local)).addr()
}

/// Returns the function that checks the stack. It ends the filter with an exception that the filter
/// cannot catch, and otherwise returns its input.
pub fn stack_check() -> Fun<JustLut<Val>> {
    fn check<'a, T: 'a>(input: T) -> Box<dyn Iterator<Item = Result<T, Exn<'a, Val>>> + 'a> {
        let in_use = STACK_START
            .get()
            .map(|start| start.abs_diff(stack_address()));
        let result = match in_use {
            Some(size) if size > MAX_CALL_STACK => Err(Exn::halt(1)),
            _ => Ok(input),
        };
        Box::new(std::iter::once(result))
    }
    let native = Native::new(|cv| check(cv.1))
        .with_paths(|cv| check(cv.1))
        .with_update(|cv, update| match check(cv.1).next() {
            Some(Ok(value)) => update(value),
            exception => Box::new(exception.into_iter()),
        });
    (CHECK, Box::new([]), native)
}

/// Lets each definition in these tokens of a filter check the stack when it is called.
/// `opening` is the bracket around the tokens; empty without one.
pub fn checked_tokens<'s>(tokens: Vec<Token<&'s str>>, opening: &str) -> Vec<Token<&'s str>> {
    let mut checked = Vec::new();
    let mut is_in_head = false;
    for token in tokens {
        // In an object, `def` is a key.
        is_in_head |= token.0 == "def" && opening != "{";
        let ends_head = is_in_head && token.0 == ":";
        checked.push(checked_token(token));
        if ends_head {
            checked.extend([Token(CHECK, Tok::Word), Token("|", Tok::Sym)]);
            is_in_head = false;
        }
    }
    checked
}

fn checked_token(Token(text, token): Token<&str>) -> Token<&str> {
    let token = match token {
        Tok::Block(tokens) => Tok::Block(checked_tokens(tokens, &text[..1])),
        Tok::Str(parts) => {
            let checked_part = |part| match part {
                StrPart::Term(token) => StrPart::Term(checked_token(token)),
                part => part,
            };
            Tok::Str(parts.into_iter().map(checked_part).collect())
        }
        token => token,
    };
    Token(text, token)
}

/// Lets a definition of the library, and those in it, check the stack.
pub fn checked_definition(definition: Def<&str>) -> Def<&str> {
    let body = match definition.body {
        Term::Def(inner, body) => {
            Term::Def(inner.into_iter().map(checked_definition).collect(), body)
        }
        body => body,
    };
    let check = Term::Call(CHECK, Vec::new());
    Def {
        body: Term::BinOp(Box::new(check), BinaryOp::Pipe(None), Box::new(body)),
        ..definition
    }
}
