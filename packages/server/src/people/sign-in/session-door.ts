/** Sessions by what their holders show: a cookie of a browser, or an operator's bearer token. */
import type { AccessView, SessionRecord } from "@pricetime/engine";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import type { Dice } from "../../platform/world/port.ts";
import { hashOfSecret, newSecret, tokenOf, tokenText, worthOf } from "./tokens.ts";

export interface SessionDoorParts {
  readonly access: AccessView;
  readonly sequencer: Sequencer;
  readonly dice: Dice;
}

export interface Shown {
  readonly session: SessionRecord;
  readonly secret: string;
  /** Its secret is old enough to be renewed. */
  readonly isDue: boolean;
}

export class SessionDoor {
  readonly #parts: SessionDoorParts;

  constructor(parts: SessionDoorParts) {
    this.#parts = parts;
  }

  /** Undefined: the token is none, or of a session that is over. One that was renewed long ago ends its session. */
  find(token: string | undefined): Shown | undefined {
    const { access, sequencer } = this.#parts;
    const read = tokenOf(token ?? "");
    const nowMs = sequencer.nowMs();
    const session = read === undefined ? undefined : access.session(read.sessionId, nowMs);
    if (read === undefined || session === undefined) return undefined;
    const worth = worthOf(session, read.secret, nowMs);
    if (worth === "replayed") this.close(session);
    if (worth === "replayed" || worth === "wrong") return undefined;
    return { session, secret: read.secret, isDue: worth === "due" };
  }

  /** The token with a new secret; undefined when another request has renewed it first. Rejects as `Sequencer.run` does. */
  async renew({ session, secret }: Shown): Promise<string | undefined> {
    const { sessionId } = session;
    const fresh = newSecret(this.#parts.dice);
    const hashes = { secretHash: hashOfSecret(secret), newSecretHash: hashOfSecret(fresh) };
    const { events } = await this.#parts.sequencer.run({ type: "renewSession", sessionId, ...hashes });
    return events[0]?.type === "rejected" ? undefined : tokenText({ sessionId, secret: fresh });
  }

  /** Nobody waits for it: a session that could not be ended is found again. */
  close({ sessionId, holder }: SessionRecord): void {
    this.#parts.sequencer.submit({ type: "closeSession", sessionId, by: holder }, () => {});
  }
}
