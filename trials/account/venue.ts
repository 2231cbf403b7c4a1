/** A node with a real mail server and invited customers. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@pricetime/testkit/client";
import { type MailServer, startMailServer } from "@pricetime/testkit/mail-server";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { until, untilAnswer } from "@pricetime/testkit/waiting";
import { codeOf } from "@pricetime/testkit/two-factor";

export interface Venue {
  readonly exchange: Exchange;
  readonly mail: MailServer;
  stop(): Promise<void>;
}

export const PASSWORD = "correct horse battery staple";

/** Blocks of BTC are mined on request. `recoveryDelayMs`: waiting period of a password recovery. */
export async function openVenue({ recoveryDelayMs = 0 }: { readonly recoveryDelayMs?: number } = {}): Promise<Venue> {
  const mail = await startMailServer();
  const dataFolder = temporaryFolder();
  const config = join(dataFolder, "config.yaml");
  writeFileSync(
    config,
    `wallet:
  networks:
    - { network: BTC, kind: sandbox, blockMs: 0 }
email:
  from: exchange@example.com
  smtp: { host: 127.0.0.1, port: ${mail.port}, requireTls: false }
accounts:
  signUp: open
  recoveryDelayMs: ${recoveryDelayMs}
`,
  );
  const args = ["--bots", "off", "--limits", "off", "--config", config];
  const exchange = await startExchange({ args, dataFolder });
  return {
    ...{ exchange, mail },
    stop: async () => {
      await exchange.stop();
      await mail.close();
    },
  };
}

/** Waits for an email to the address that contains `said`, and returns the decoded text of the newest one. */
export async function letterTo({ mail }: Pick<Venue, "mail">, email: string, said: string): Promise<string> {
  const find = (): string | undefined =>
    mail.taken
      .filter(({ to }) => to.includes(email))
      .map(({ raw }) => decoded(raw))
      .findLast((text) => text.includes(said));
  await until(`a letter to ${email} with ${said}`, () => find() !== undefined);
  const text = find();
  assert.ok(text !== undefined);
  return text;
}

/** Waits for an email with a link to the page, and returns the part after `#`. */
export function linkIn(letter: string, page: string): string {
  const [link] = new RegExp(`https?://\\S+#/${page}\\?\\S+`).exec(letter) ?? [];
  assert.ok(link !== undefined, `no link to ${page} in: ${letter}`);
  return link;
}

/** Decodes quoted-printable (RFC 2045), as far as plain text emails use it. */
function decoded(raw: string): string {
  const text = raw
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(text, "latin1").toString("utf8");
}

/** Invites a customer. Returns the link in the email. */
export async function invite(venue: Venue, email: string, name = "New"): Promise<string> {
  await operate(venue.exchange, "POST", "/v1/invitations", { email, name });
  return linkIn(await letterTo(venue, email, "#/invitation"), "invitation");
}

/** Credits an account, like an operator who received a manual payment. */
export async function grant({ exchange }: Venue, account: string, asset: string, amount: string): Promise<void> {
  await operate(exchange, "POST", "/v1/deposits", { account, asset, amount, reference: `${account} ${asset}` });
}

/** Two demo accounts trade with each other, so that the market has a last price. */
export async function trade(venue: Venue, symbol: string, price: string, quantity: string): Promise<void> {
  await order(venue, { symbol, side: "BUY", price, quantity }, 0);
  await order(venue, { symbol, side: "SELL", price, quantity }, 1);
}

/** A demo account places a limit order. */
export async function order(
  { exchange }: Pick<Venue, "exchange">,
  fields: Readonly<Record<"symbol" | "side" | "price" | "quantity", string>>,
  place = 0,
): Promise<void> {
  const account = exchange.accounts[place];
  assert.ok(account !== undefined);
  const client = new Client(exchange.rest, account);
  const { status, text } = await client.signed("POST", "/api/v3/order", {
    ...{ type: "LIMIT", timeInForce: "GTC" },
    ...fields,
  });
  assert.equal(status, 200, text);
  client.close();
}

/** The last used code of each secret: a code works only once. */
const used = new Map<string, string>();

/** Returns an unused code. Waits for the next one if necessary; a code is valid for 30 seconds. */
export async function freshCode(secret: string): Promise<string> {
  const code = await untilAnswer(
    "another code",
    () => codeOf(secret),
    (one) => one !== used.get(secret),
    { everyMs: 200 },
  );
  used.set(secret, code);
  return code;
}
