//! The connection to a caller, which the sandbox can break: faults need more than a web framework offers.
//!
//! It also gives a JSON body to the few refusals that the HTTP layer sends by itself, before any routing.

use super::answer::Refusal;
use super::deadline::{Deadline, Waits};
use super::framing::Framing;
use axum::extract::connect_info::Connected;
use axum::http::StatusCode;
use axum::serve::{IncomingStream, Listener};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// The pause after a connection could not be accepted, which is for want of file descriptors as a rule.
const BREATHER: Duration = Duration::from_millis(50);

/// Accepts breakable lines.
pub(super) struct Lines {
    pub(super) listener: TcpListener,
    pub(super) waits: Waits,
}

/// One connection.
pub(super) struct Line {
    stream: TcpStream,
    fuse: Fuse,
    deadline: Deadline,
    framing: Framing,
    /// What is written in place of what the HTTP layer gave, until all of it is out.
    instead: Vec<u8>,
}

/// Breaks a line from the outside.
#[derive(Debug, Clone, Default)]
pub(super) struct Fuse(Arc<Mutex<State>>);

#[derive(Debug, Clone, Copy, Default)]
struct State {
    flow: Flow,
    /// A whole request arrived and its answer is being made, which is no fault of the caller's.
    answering: bool,
    /// The request gave the length of its body in two ways.
    ambiguous: bool,
}

#[derive(Debug, Clone, Copy, Default)]
enum Flow {
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
        self.lock().flow = Flow::Left(0);
    }

    /// Lets through the next answer's head and half of its body.
    pub(super) fn halve(&self) {
        self.lock().flow = Flow::Halve;
    }

    /// The caller has sent a whole request: until the answer comes, the wait is not its fault.
    pub(super) fn taken_up(&self) {
        self.lock().answering = true;
    }

    /// Whether the request at hand may be read in two ways, by this end and by some proxy before it.
    pub(super) fn is_ambiguous(&self) -> bool {
        self.lock().ambiguous
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => return (Line::new(stream, self.waits), address),
                Err(_) => tokio::time::sleep(BREATHER).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Line {
    fn new(stream: TcpStream, waits: Waits) -> Line {
        // Answers are small and awaited; a delay saves nothing. Failing that, they are only slower.
        let _ = stream.set_nodelay(true);
        Line {
            stream,
            fuse: Fuse::default(),
            deadline: Deadline::new(waits),
            framing: Framing::default(),
            instead: Vec::new(),
        }
    }

    /// Lets the HTTP layer wait for the caller, but not for ever.
    fn wait<T>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if self.fuse.lock().answering {
            return Poll::Pending;
        }
        self.deadline.poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }

    /// Writes what the fuse lets through.
    fn pass(&mut self, context: &mut Context<'_>, buffer: &[u8]) -> Poll<io::Result<usize>> {
        let flow = self.fuse.lock().flow;
        let room = match flow {
            Flow::Whole => return Pin::new(&mut self.stream).poll_write(context, buffer),
            Flow::Halve => half(buffer),
            Flow::Left(room) => room.min(buffer.len()),
        };
        if room == 0 {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, &buffer[..room]))?;
        self.fuse.lock().flow = Flow::Left(room - written);
        Poll::Ready(Ok(written))
    }

    /// Writes the other answer in place of `buffer`, all of it before that counts as written.
    fn pass_instead(&mut self, context: &mut Context<'_>, buffer: &[u8]) -> Poll<io::Result<usize>> {
        while !self.instead.is_empty() {
            let written = ready!(Pin::new(&mut self.stream).poll_write(context, &self.instead))?;
            self.instead.drain(..written);
        }
        Poll::Ready(Ok(buffer.len()))
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let old = buffer.filled().len();
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Pending => self.wait(context),
            read => {
                self.deadline.heard(context);
                if self.framing.heard(&buffer.filled()[old..]) {
                    self.fuse.lock().ambiguous = true;
                }
                read
            }
        }
    }
}

impl AsyncWrite for Line {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &[u8]) -> Poll<io::Result<usize>> {
        let line = &mut *self;
        if line.fuse.lock().answering {
            // From here on it is the caller again who can be waited for.
            line.fuse.lock().answering = false;
            line.framing.begin();
            line.deadline.said(context);
        }
        if line.instead.is_empty() {
            line.instead = with_body(buffer).unwrap_or_default();
        }
        let written = match line.instead.is_empty() {
            true => line.pass(context, buffer),
            false => line.pass_instead(context, buffer),
        };
        match written {
            Poll::Pending => line.wait(context),
            // A word to go on, in the middle of a request, wins it no time.
            written if buffer.starts_with(b"HTTP/1.1 100 ") => written,
            written => {
                line.deadline.said(context);
                written
            }
        }
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
    let refusal = match digits {
        b"14" => Refusal::new(StatusCode::URI_TOO_LONG, "uri_too_long", "The address is too long."),
        b"31" => {
            Refusal::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "headers_too_large", "The headers are too large.")
        }
        _ => Refusal::invalid("invalid_format", "request", "Must be HTTP/1.1"),
    };
    let json = refusal.json();
    let length = json.len();
    let head = format!("{before}content-type: application/json\r\ncontent-length: {length}{after}\r\n\r\n");
    Some([head.into_bytes(), json].concat())
}
