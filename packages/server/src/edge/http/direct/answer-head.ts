/** The head of an answer as text: what `node:http` would write, in one piece. */
import { STATUS_CODES } from "node:http";
import type { HeaderList } from "../../limits/headers.ts";
import { NOT_MODIFIED } from "../encoding.ts";
import { ALWAYS_SENT, SENT_WITH_PAGES } from "../headers.ts";

/** Of this answer alone. */
export interface AnswerHead {
  readonly status: number;
  /** Names and values in turn: all but those that are always sent. They are ours, and so without line ends. */
  readonly headers: HeaderList;
  readonly bodyBytes: number;
  readonly nowMs: number;
  /** How long the connection may be idle, as the client is told; 0: it ends with this answer. */
  readonly keepAliveMs: number;
  readonly isPage?: true | undefined;
}

const ALWAYS_SENT_LINES = linesOf(ALWAYS_SENT);
const PAGE_LINES = linesOf(SENT_WITH_PAGES);

function linesOf(headers: readonly string[]): string {
  let lines = "";
  for (let i = 0; i < headers.length; i += 2) lines += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return lines;
}

/** Up to the body. */
export function headText({ status, headers, bodyBytes, nowMs, keepAliveMs, isPage }: AnswerHead): string {
  const connection =
    keepAliveMs === 0 ? "close" : `keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}`;
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${isPage ? PAGE_LINES : ALWAYS_SENT_LINES}${linesOf(headers)}` +
    `${status === NOT_MODIFIED ? "" : `Content-Length: ${bodyBytes}\r\n`}Date: ${httpDate(nowMs)}\r\nConnection: ${connection}\r\n\r\n`
  );
}

let dateSecond = 0;
let dateText = "";

/** Made anew each second, as node does. */
function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(nowMs).toUTCString();
  }
  return dateText;
}
