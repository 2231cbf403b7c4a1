/**
 * Answers and events in the unit of time that a client requests. Everything is written in milliseconds and converted
 * when it is sent, so that other clients cost no more. Interface 1.3.
 */
import { answerInMicroseconds, eventInMicroseconds, INVALID_TIME_UNIT } from "@pricetime/protocol";
import { type LongText, LongTextWriter } from "../answers/long-text.ts";
import { Refused } from "./refusals.ts";
import type { GatewayResponse, Replier, RequestHeaders, Spoil } from "./request.ts";
import type { Peer } from "./sockets/socket.ts";

export type TimeUnit = "MILLISECOND" | "MICROSECOND";

const HEADER = "x-mbx-time-unit";

/** The unit of the `timeUnit` parameter of a socket's address; null if there is no such unit. */
export function timeUnitOf(sent: string | null): TimeUnit | null {
  if (sent === null || sent === "") return "MILLISECOND";
  const unit = sent.toUpperCase();
  return unit === "MILLISECOND" || unit === "MICROSECOND" ? unit : null;
}

/** Throws -1194 if the client requests another unit. */
export function checkTimeUnit(headers: RequestHeaders): void {
  const sent = headers[HEADER];
  if (sent !== undefined && timeUnitOf(String(sent)) === null) throw new Refused(INVALID_TIME_UNIT);
}

/** The replier of a request, which converts the response if the request's header asks for microseconds. */
export function replierInUnit(replier: Replier, headers: RequestHeaders): Replier {
  const sent = headers[HEADER];
  if (sent === undefined || timeUnitOf(String(sent)) !== "MICROSECOND") return replier;
  return {
    reply: (response) => replier.reply(inMicroseconds(response)),
    ...(replier.spoil !== undefined && {
      spoil: (response: GatewayResponse, fault: Spoil) => replier.spoil?.(inMicroseconds(response), fault),
    }),
  };
}

function inMicroseconds<Response extends GatewayResponse>(response: Response): Response {
  const { body } = response;
  if (typeof body === "string") return { ...response, body: answerInMicroseconds(body) };
  return { ...response, body: { head: answerInMicroseconds(body.head), text: convertedText(body.text) } };
}

/** Converted texts by the texts they were made from, which many requests share. */
const converted = new WeakMap<LongText, LongText>();

/** Piece by piece: pieces end between rows. */
function convertedText(text: LongText): LongText {
  const known = converted.get(text);
  if (known !== undefined) return known;
  const writer = new LongTextWriter(text.etag !== undefined);
  for (const piece of text.pieces) writer.add(answerInMicroseconds(piece.toString()));
  const made = writer.text();
  converted.set(text, made);
  return made;
}

/** A connection of the WebSocket API whose responses and events are in microseconds. */
export function peerInMicroseconds(peer: Peer): Peer {
  const whole = (frame: string): string =>
    EVENT_FRAME.test(frame) ? eventInMicroseconds(frame) : answerInMicroseconds(frame);
  return {
    ip: peer.ip,
    send: (frame) => peer.send(whole(frame)),
    sendParts: (before, shared, behind) => {
      peer.sendParts(answerInMicroseconds(before), convertedText(shared), behind);
    },
    close: (code, reason) => peer.close(code, reason),
    whenRead: () => peer.whenRead?.(),
    cut: () => peer.cut?.(),
    ...(peer.spoil !== undefined && { spoil: (frame: string, fault: Spoil) => peer.spoil?.(whole(frame), fault) }),
  };
}

/** Frames of the WebSocket API with an event. A response begins with its id. */
const EVENT_FRAME = /^\{"(?:subscriptionId|event)":/;
