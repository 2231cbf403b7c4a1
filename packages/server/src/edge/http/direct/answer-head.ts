/** The head of an answer as text, equal to the one from `node:http`, in one piece. */
import { STATUS_CODES } from "node:http";
import type { HeaderList } from "../../limits/headers.ts";
import { NOT_MODIFIED } from "../encoding.ts";
import { ALWAYS_SENT, SENT_WITH_PAGES } from "../headers.ts";
import type { Keeping } from "../../request.ts";

/** The parts of the head that vary. */
export interface AnswerHead {
  readonly status: number;
  /** Names and values in turn, except those always sent. They are our own, and so without line ends. */
  readonly headers: HeaderList;
  readonly bodyBytes: number;
  readonly nowMs: number;
  /** The idle time announced to the client; 0: the connection ends with this answer. */
  readonly keepAliveMs: number;
  /** Undefined: it is no page. */
  readonly keeping: Keeping | undefined;
}

const ALWAYS_SENT_LINES = linesOf(ALWAYS_SENT);
const PAGE_LINES: Readonly<Record<Keeping, string>> = {
  "until changed": linesOf(SENT_WITH_PAGES["until changed"]),
  "for good": linesOf(SENT_WITH_PAGES["for good"]),
  "not at all": linesOf(SENT_WITH_PAGES["not at all"]),
};

function linesOf(headers: readonly string[]): string {
  let lines = "";
  for (let i = 0; i < headers.length; i += 2) lines += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return lines;
}

/** The text up to the body. */
export function headText({ status, headers, bodyBytes, nowMs, keepAliveMs, keeping }: AnswerHead): string {
  const connection =
    keepAliveMs === 0 ? "close" : `keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}`;
  const always = keeping === undefined ? ALWAYS_SENT_LINES : PAGE_LINES[keeping];
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${always}${linesOf(headers)}` +
    `${status === NOT_MODIFIED ? "" : `Content-Length: ${bodyBytes}\r\n`}Date: ${httpDate(nowMs)}\r\nConnection: ${connection}\r\n\r\n`
  );
}

let dateSecond = 0;
let dateText = "";

/** Made once a second, as in node. */
function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(nowMs).toUTCString();
  }
  return dateText;
}
