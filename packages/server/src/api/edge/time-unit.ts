/**
 * Answers and events in the unit of time that a client requests. Everything is written in milliseconds and converted
 * when it is sent, so that other clients cost no more. Interface 1.3.
 */
import { answerInMicroseconds, eventInMicroseconds, INVALID_TIME_UNIT } from "@pricetime/protocol";
import type { Pieces, Turns } from "../answers/long-list.ts";
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
export function replierInUnit(replier: Replier, headers: RequestHeaders, turns: Turns): Replier {
  const sent = headers[HEADER];
  if (sent === undefined || timeUnitOf(String(sent)) !== "MICROSECOND") return replier;
  return convertingReplier(replier, turns, answerInMicroseconds);
}

/** Converts the shared texts of long responses. `peerInMicroseconds` converts all other text of the connection. */
export function longTextsInMicroseconds(replier: Replier, turns: Turns): Replier {
  return convertingReplier(replier, turns, (short) => short);
}

/** `short` converts text that is not shared. */
function convertingReplier(replier: Replier, turns: Turns, short: (text: string) => string): Replier {
  const convert = (response: GatewayResponse, pass: (converted: GatewayResponse) => void): void => {
    const { body } = response;
    if (typeof body === "string") pass({ ...response, body: short(body) });
    else whenConverted(body.text, turns, (text) => pass({ ...response, body: { head: short(body.head), text } }));
  };
  return {
    reply: (response) => convert(response, (converted) => replier.reply(converted)),
    ...(replier.spoil !== undefined && {
      spoil: (response: GatewayResponse, fault: Spoil) =>
        convert(response, (converted) => replier.spoil?.(converted, fault)),
    }),
  };
}

/** Converted texts by the texts they were made from, which many requests share. */
const converted = new WeakMap<LongText, LongText | Promise<LongText>>();

/** Passes the converted text on, at once if it is known. */
function whenConverted(text: LongText, turns: Turns, use: (converted: LongText) => void): void {
  const known = converted.get(text) ?? turns.make(null, () => convertPieces(text));
  if (!(known instanceof Promise)) return use(known);
  converted.set(text, known);
  // It never rejects, because text is converted without errors.
  void known.then(use);
}

/** One piece per turn, as the text was generated. Pieces end between rows. */
function* convertPieces(text: LongText): Pieces<LongText> {
  const writer = new LongTextWriter(text.etag !== undefined);
  for (const [at, piece] of text.pieces.entries()) {
    if (at > 0) yield;
    const inMilliseconds = piece.toString();
    const inMicroseconds = answerInMicroseconds(inMilliseconds);
    writer.add(inMicroseconds === inMilliseconds ? piece : inMicroseconds);
  }
  const made = writer.text();
  converted.set(text, made);
  return made;
}

/**
 * A connection of the WebSocket API whose responses and events are in microseconds. The shared texts of long responses
 * are already converted.
 */
export function peerInMicroseconds(peer: Peer): Peer {
  const whole = (frame: string): string =>
    EVENT_FRAME.test(frame) ? eventInMicroseconds(frame) : answerInMicroseconds(frame);
  return {
    ip: peer.ip,
    send: (frame) => peer.send(whole(frame)),
    sendParts: (before, shared, behind) => {
      peer.sendParts(answerInMicroseconds(before), shared, behind);
    },
    close: (code, reason) => peer.close(code, reason),
    whenRead: () => peer.whenRead?.(),
    cut: () => peer.cut?.(),
    ...(peer.spoil !== undefined && { spoil: (frame: string, fault: Spoil) => peer.spoil?.(whole(frame), fault) }),
  };
}

/** Frames of the WebSocket API with an event. A response begins with its id. */
const EVENT_FRAME = /^\{"(?:subscriptionId|event)":/;
