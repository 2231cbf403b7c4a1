/** An exchange whose customers trigger notice emails, and a parser of the emails that a mail server received. */
import assert from "node:assert/strict";
import { type CodeOfAct, type Command, Engine, type Entry, type Event, type NoticeKind } from "@pricetime/engine";
import type { MailServer } from "@pricetime/testkit/mail-server";
import { createLinkSecrets } from "../../../src/platform/secrets/link-secrets.ts";
import type { Outcome } from "../../../src/journal/sequencer/port.ts";

export const LINKS = createLinkSecrets("00112233445566778899aabbccddeeff".repeat(2));
export const PUBLIC_URL = "https://x.example";
export const CONSOLE_URL = "https://console.example";
const START_MS = 1_790_000_000_000;
export const HOUR_MS = 3_600_000;
export const idOf = (number: number): string => String(number).padStart(32, "0");
const hashOf = (purpose: "invitation" | "recovery", id: string): string => LINKS.hashOf(LINKS.secretOf(purpose, id));

/** Hostile field content: a closing quote, a link, a character that reverses the text direction. */
export const NASTY = 'x" https://evil.example/now or evil.example \u202eevil\u2028www.evil.com mailto:me@evil.com';
/** With line breaks, which the engine rejects in most fields: a header, an imitated line. */
export const NASTIER = `x"\r\nBcc: b@example.com\r\n\r\n${NASTY}`;

export class NoticeVenue {
  readonly engine = new Engine();
  nowMs = START_MS;
  /** Called with each entry once it is durable. */
  follower: ((entry: Entry, events: readonly Event[]) => void) | undefined;
  #sessions = 0;

  constructor() {
    this.act({ type: "openAccount", by: "admin", email: "a@example.com", name: "A", makerBps: 0, takerBps: 0 });
    this.act({ type: "openOperator", by: "admin", name: "carol", email: "carol@example.com", role: "admin" });
  }

  act(command: Command): readonly Event[] {
    const { events } = this.run(command);
    const [first] = events;
    assert.ok(first?.type !== "rejected", first?.type === "rejected" ? `${command.type}: ${first.reason}` : "");
    return events;
  }

  run(command: Command): Outcome {
    const entry = { seq: this.engine.seq + 1, timeMs: this.nowMs, command };
    const events = [...this.engine.apply(entry)];
    this.follower?.(entry, events);
    return { seq: entry.seq, timeMs: entry.timeMs, events };
  }

  get owed(): readonly NoticeKind[] {
    return [...this.engine.access.notices()].map(({ kind }) => kind);
  }

  /** `secretHash`: the hash of a secret other than the link's. */
  invite(number: number, email = "new@example.com", holder: string | null = null, secretHash?: string): void {
    const [invitationId, untilMs] = [idOf(number), this.nowMs + HOUR_MS];
    const opens = holder === null ? { name: "", makerBps: 0, takerBps: 0 } : null;
    const hash = secretHash ?? hashOf("invitation", invitationId);
    this.act({ type: "invite", by: "admin", invitationId, secretHash: hash, email, holder, opens, untilMs });
  }

  accept(number: number): void {
    const secretHash = hashOf("invitation", idOf(number));
    this.act({ type: "acceptInvitation", invitationId: idOf(number), secretHash, sealedPassword: "p1" });
  }

  signIn(client: string, holder = "account:100"): void {
    const sealedPassword = this.engine.access.sealedPassword(holder) ?? "";
    const own = { sessionId: idOf(++this.#sessions), secretHash: "ab".repeat(32), untilMs: this.nowMs + HOUR_MS };
    const totp = { totpStep: null, ip: "203.0.113.9", client };
    this.act({ type: "openSession", holder, sealedPassword, ...own, ...totp });
  }

  askRecovery(number: number): void {
    const recoveryId = idOf(number);
    const times = { fromMs: this.nowMs + HOUR_MS, untilMs: this.nowMs + 2 * HOUR_MS };
    const secretHash = hashOf("recovery", recoveryId);
    this.act({ type: "askRecovery", holder: "account:100", recoveryId, secretHash, ...times });
  }

  recover(number: number): void {
    this.nowMs += HOUR_MS;
    const secretHash = hashOf("recovery", idOf(number));
    this.act({ type: "recover", recoveryId: idOf(number), secretHash, sealedPassword: "p3" });
  }

  createApiKey(label: string, by = "account:100"): void {
    const key = { apiKey: "k".repeat(64), sealedSecret: "s", permissions: ["TRADE"], ipAllowList: [], label } as const;
    this.act({ type: "createApiKey", by, accountId: 100, ...key });
  }

  /** For a customer who requests it a day later. */
  endAddressList(): void {
    const of = { type: "setAddressList", by: "account:100", accountId: 100 } as const;
    this.act({ ...of, ...this.#code(), isEnforced: true });
    this.act({ ...of, ...this.#code(), isEnforced: false, fromMs: this.nowMs + 86_400_000 });
  }

  addAddress(name: string): void {
    const where = { network: "BTC", address: "bc1qxyz", tag: "7", name };
    this.act({ type: "allowAddress", by: "account:100", accountId: 100, ...where, ...this.#code() });
  }

  /** A code that was not used before, if the customer has two-factor codes. */
  #code(): CodeOfAct {
    const sealedTotp = this.engine.account(100)?.sealedTotp ?? null;
    return sealedTotp === null ? {} : { totpStep: this.engine.access.totpStep(100) + 1, totpSecret: sealedTotp };
  }
}

/** An email as its recipient sees it. */
export interface ReadLetter {
  readonly to: string;
  readonly headers: string;
  readonly subject: string;
  readonly text: string;
}

export function lettersOf({ taken }: Pick<MailServer, "taken">): readonly ReadLetter[] {
  return taken.map(({ to, raw }) => {
    const end = raw.indexOf("\r\n\r\n");
    const headers = raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, " ");
    const body = textPart(headers, raw.slice(end + 4)).replaceAll("=\r\n", "");
    const bytes = body.replaceAll(/=([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
    const text = Buffer.from(bytes, "latin1").toString("utf8").replaceAll("\r\n", "\n");
    return { to: to.join(), headers, subject: /^Subject: (.*)$/m.exec(headers)?.[1] ?? "", text };
  });
}

/** The parameters of an email's links, by page. */
export function linksOf({ text }: Pick<ReadLetter, "text">): ReadonlyMap<string, URLSearchParams> {
  const links = [...text.matchAll(/^(?<base>https:\S+)#\/(?<page>[a-z-]+)\?(?<query>\S+)$/gm)];
  return new Map(
    links.map(({ groups }) => [`${groups?.["base"]}${groups?.["page"]}`, new URLSearchParams(groups?.["query"])]),
  );
}

/** The plain text of an email that also has an HTML version (RFC 2046). */
function textPart(headers: string, body: string): string {
  const [, boundary] = /boundary="([^"]+)"/.exec(headers) ?? [];
  if (boundary === undefined) return body;
  const part = body.split(`--${boundary}`)[1] ?? "";
  return part.slice(part.indexOf("\r\n\r\n") + 4).replace(/\r\n$/, "");
}
