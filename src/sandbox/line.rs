//! The connection to a caller, which the sandbox can break: faults need more than a web framework offers.
//!
//! It also gives a JSON body to the few refusals that the HTTP layer sends by itself, before any routing.

use super::answer::Refusal;
use axum::extract::connect_info::Connected;
use axum::http::StatusCode;
use axum::serve::{IncomingStream, Listener};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// Accepts breakable lines.
pub(super) struct Lines(pub(super) TcpListener);

/// One connection.
pub(super) struct Line {
    stream: TcpStream,
    fuse: Fuse,
    /// What is written in place of what the HTTP layer gave, until all of it is out.
    instead: Vec<u8>,
}

/// Breaks a line from the outside.
#[derive(Debug, Clone, Default)]
pub(super) struct Fuse(Arc<Mutex<State>>);

#[derive(Debug, Clone, Copy, Default)]
enum State {
    #[default]
    Whole,
    /// The next answer breaks off in the middle of its body.
    Halve,
    /// So many more bytes pass.
    Left(usize),
}

impl Fuse {
    /// Lets nothing more through: the caller sees the connection close.
    pub(super) fn cut(&self) {
        self.set(State::Left(0));
    }

    /// Lets through the next answer's head and half of its body.
    pub(super) fn halve(&self) {
        self.set(State::Halve);
    }

    fn set(&self, state: State) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    fn get(&self) -> State {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connected<IncomingStream<'_, Lines>> for Fuse {
    fn connect_info(stream: IncomingStream<'_, Lines>) -> Fuse {
        stream.io().fuse.clone()
    }
}

impl Listener for Lines {
    type Io = Line;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Line, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.0).await;
        // Answers are small and awaited; a delay saves nothing. Failing that, they are only slower.
        let _ = stream.set_nodelay(true);
        (Line { stream, fuse: Fuse::default(), instead: Vec::new() }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Line {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &[u8]) -> Poll<io::Result<usize>> {
        let line = &mut *self;
        if line.instead.is_empty() {
            line.instead = with_body(buffer).unwrap_or_default();
        }
        while !line.instead.is_empty() {
            let written = ready!(Pin::new(&mut line.stream).poll_write(context, &line.instead))?;
            line.instead.drain(..written);
            if line.instead.is_empty() {
                return Poll::Ready(Ok(buffer.len()));
            }
        }
        let room = match line.fuse.get() {
            State::Whole => return Pin::new(&mut line.stream).poll_write(context, buffer),
            State::Halve => half(buffer),
            State::Left(room) => room.min(buffer.len()),
        };
        if room == 0 {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        let written = ready!(Pin::new(&mut line.stream).poll_write(context, &buffer[..room]))?;
        line.fuse.set(State::Left(room - written));
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// The length of an answer's head and half of its body. The head always comes first and in one piece.
fn half(answer: &[u8]) -> usize {
    let head = answer.windows(4).position(|window| window == b"\r\n\r\n").map_or(0, |end| end + 4);
    head + (answer.len() - head) / 2
}

/// A refusal without a body can only be the HTTP layer's own: here is the same with one.
fn with_body(answer: &[u8]) -> Option<Vec<u8>> {
    let digits = answer.strip_prefix(b"HTTP/1.1 4")?.get(..2)?;
    let head = str::from_utf8(answer).ok()?.strip_suffix("\r\n\r\n")?;
    let (before, after) = head.split_once("content-length: 0")?;
    let (status, code, message) = match digits {
        b"14" => (StatusCode::URI_TOO_LONG, "uri_too_long", "The address is too long."),
        b"31" => (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "headers_too_large", "The headers are too large."),
        _ => (StatusCode::BAD_REQUEST, "bad_request", "Not a valid HTTP request."),
    };
    let json = Refusal::new(status, code, message).json();
    let length = json.len();
    let head = format!("{before}content-type: application/json\r\ncontent-length: {length}{after}\r\n\r\n");
    Some([head.into_bytes(), json].concat())
}
