/** The head of an answer as text, equal to the one from `node:http`, in one piece. */
import { STATUS_CODES } from "node:http";
import type { HeaderList } from "../../limits/headers.ts";
import { NOT_MODIFIED } from "../encoding.ts";
import { ALWAYS_SENT, CONTENT_TYPE, SENT_WITH_PAGES } from "../headers.ts";
import type { Keeping } from "../../request.ts";

/** The parts of the head that vary. */
export interface AnswerHead {
  readonly status: number;
  readonly contentType: string | undefined;
  /** Lists of names and values in turn, except those always sent. They are our own, and so without line ends. */
  readonly headers: readonly HeaderList[];
  /** Undefined: nobody knows yet, and the body comes in chunks. */
  readonly bodyBytes: number | undefined;
  readonly nowMs: number;
  /** The idle time announced to the client; 0: the connection ends with this answer. */
  readonly keepAliveMs: number;
  /** Undefined: it is no page. */
  readonly keeping: Keeping | undefined;
}

/** The text up to the body. */
export function headText(head: AnswerHead): string {
  const { status, bodyBytes } = head;
  let text = beginning(head);
  for (const headers of head.headers) text += linesOf(headers);
  if (bodyBytes === undefined) text += "Transfer-Encoding: chunked\r\n";
  else if (status !== NOT_MODIFIED) text += `Content-Length: ${bodyBytes}\r\n`;
  return text + ending(head);
}

function linesOf(headers: readonly string[]): string {
  let lines = "";
  for (let i = 0; i < headers.length; i += 2) lines += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return lines;
}

/** Up to the Content-Type of answers that are no pages and of no type of their own, by their status. */
const beginnings = new Map<number, string>();

function beginning({ status, contentType, keeping }: AnswerHead): string {
  const isUsual = contentType === undefined && keeping === undefined;
  const known = isUsual ? beginnings.get(status) : undefined;
  if (known !== undefined) return known;
  const always = keeping === undefined ? ALWAYS_SENT : SENT_WITH_PAGES[keeping];
  const lines = linesOf([...always, "Content-Type", contentType ?? CONTENT_TYPE]);
  const text = inOnePiece(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines}`);
  if (isUsual) beginnings.set(status, text);
  return text;
}

let ended = { second: 0, keepAliveMs: 0, text: "" };

/** Date and Connection, made once a second, as in node. */
function ending({ nowMs, keepAliveMs }: AnswerHead): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== ended.second || keepAliveMs !== ended.keepAliveMs) {
    const connection =
      keepAliveMs === 0 ? "close" : `keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}`;
    const text = inOnePiece(`Date: ${new Date(nowMs).toUTCString()}\r\nConnection: ${connection}\r\n\r\n`);
    ended = { second, keepAliveMs, text };
  }
  return ended.text;
}

/** V8 keeps joined text as its parts and copies it part by part with each answer: half of the price of a head. */
function inOnePiece(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}
