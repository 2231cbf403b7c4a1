/** Customers can sign in from another machine only where the node serves TLS. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { networkInterfaces } from "node:os";
import { suite, test, type TestContext } from "node:test";
import { Authority, noOpenssl } from "@pricetime/testkit/authority";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { skipUnless } from "@pricetime/testkit/skip";
import { WebSocket } from "ws";
import {
  AccountVenue,
  type AccountVenueOptions,
  type Browser,
  HOST,
  PASSWORD,
  refusal,
  SESSION,
} from "./account-venue.ts";

const EMAIL = "ann@example.com";
const NAME = "exchange.example.com";
const signIn = { email: EMAIL, password: PASSWORD };

/** A non-loopback address of this machine. */
const outer = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === "IPv4" && !each.internal)?.address;
const noOuter = skipUnless(outer !== undefined, "this machine has no network but loopback");

interface TlsVenue {
  readonly venue: AccountVenue;
  readonly ca: string;
}

async function open(t: TestContext, options: AccountVenueOptions = {}): Promise<TlsVenue> {
  const authority = new Authority(scratchFolder(t));
  const pair = authority.issue("node", [`DNS:${NAME}`, `IP:${HOST}`, ...(outer === undefined ? [] : [`IP:${outer}`])]);
  const venue = await AccountVenue.start({ certificates: { follow: (use) => use(pair) }, ...options });
  return { venue, ca: authority.ca };
}

/** Headers of a browser that uses the venue's configured name. */
const named = (origin = `https://${NAME}`): { host: string; origin: string } => ({ host: NAME, origin });

suite("customers over TLS", { skip: noOpenssl }, () => {
  test("customers sign in under the venue's name, with secure host-only cookies", async (t) => {
    const { venue, ca } = await open(t);
    const browser = venue.browser({ ca, headers: named() });
    const accepted = await browser.post("invitation/accept", { ...venue.invite(EMAIL), password: PASSWORD });
    assert.equal(accepted.status, 200, accepted.text);
    const session = accepted.setCookies.find((set) => set.startsWith(`${SESSION}=`)) ?? "";
    assert.match(session, /; Path=\/; Secure; HttpOnly; SameSite=Strict; /);
    assert.equal(accepted.headers["strict-transport-security"], undefined, "a gateway that is not told says nothing");
    assert.equal((await browser.get("session")).status, 200);
    const other = venue.browser({ ca, headers: named() });
    assert.equal((await other.post("sign-in", signIn)).status, 200);
    const order = "/api/v3/order/test?symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&price=1&quantity=20";
    assert.equal((await browser.send("POST", order)).status, 200);
  });

  test("pages of other origins and pages over plain HTTP cannot sign in", async (t) => {
    const { venue, ca } = await open(t);
    const browser = await venue.customer(EMAIL, venue.browser({ ca, headers: named() }));
    for (const headers of [
      named(`http://${NAME}`),
      named("https://evil.example.com"),
      named(`https://${NAME}:444`),
      { ...named(), "sec-fetch-site": "same-site" },
      { host: HOST, origin: `https://${NAME}` },
    ]) {
      assert.deepEqual(refusal(await browser.post("sign-in", signIn, headers)), [403, "FOREIGN_ORIGIN"]);
    }
    const refused = await browser.post("sign-in", signIn, { ...named(), "x-pricetime-page": undefined });
    assert.deepEqual(refusal(refused), [403, "PAGE_HEADER_MISSING"]);
  });

  test("without TLS customers can sign in on the node's own machine only", async (t) => {
    const { venue, ca } = await open(t);
    const here = await venue.customer(EMAIL, venue.browser({ ca }));
    assert.equal((await here.get("session")).status, 200);
    const clear = await AccountVenue.start();
    const browser = clear.browser({ headers: named(`http://${NAME}`) });
    const refused = await browser.post("sign-in", signIn);
    assert.deepEqual(refusal(refused), [403, "INSECURE"]);
    assert.match(refused.json.message, /the setting tls, or a proxy's/);
  });

  test("from a non-loopback address customers can sign in over TLS only", { skip: noOuter }, async (t) => {
    const { venue, ca } = await open(t, { listensOn: "0.0.0.0" });
    const browser = await venue.customer(EMAIL, venue.browser({ ca, host: outer! }));
    assert.equal((await browser.get("session")).status, 200);
    const clear = await AccountVenue.start({ listensOn: "0.0.0.0" });
    const stranger = clear.browser({ host: outer! });
    assert.deepEqual(refusal(await stranger.post("sign-in", signIn)), [403, "INSECURE"]);
  });

  test("a trusted proxy must still report that the browser used TLS", async (t) => {
    const { venue, ca } = await open(t, { trustedProxies: [HOST] });
    const link = { ...venue.invite(EMAIL), password: PASSWORD };
    const accept = (more: object) =>
      venue.browser({ ca }).post("invitation/accept", link, { ...named(), "x-forwarded-for": "192.0.2.1", ...more });
    assert.deepEqual(refusal(await accept({})), [403, "INSECURE"]);
    assert.deepEqual(refusal(await accept({ "x-forwarded-proto": "http" })), [403, "INSECURE"]);
    assert.equal((await accept({ "x-forwarded-proto": "https" })).status, 200);
  });

  test("a ticket opens a socket over TLS, for the node's own pages only", async (t) => {
    const { venue, ca } = await open(t);
    const browser: Browser = await venue.customer(EMAIL, venue.browser({ ca, headers: named() }));
    const dial = async (headers: object): Promise<WebSocket> => {
      const { ticket } = (await browser.post("ticket")).json as { readonly ticket: string };
      const socket = new WebSocket(`wss://${HOST}:${venue.port}/account/stream?ticket=${ticket}`, {
        ca,
        headers: { ...headers },
      });
      await once(socket, "open");
      return socket;
    };
    const socket = await dial(named());
    socket.close();
    for (const headers of [named(`http://${NAME}`), named("https://evil.example.com")]) {
      await assert.rejects(dial(headers), /403/);
    }
  });
});
