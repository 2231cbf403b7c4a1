/** The emailed link, over real HTTP: opening it changes nothing, its button confirms, and only once. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { CONFIRM_PATH } from "@pricetime/protocol";
import { UNBRANDED } from "../../../src/api/web/branding.ts";
import { NotAccepted } from "../../../src/journal/sequencer/port.ts";
import { WalletVenue } from "./wallet-venue.ts";

const OPEN: WalletVenue[] = [];
after(() => Promise.all(OPEN.map((venue) => venue.gateway.close())));

interface Asked {
  readonly venue: WalletVenue;
  readonly withdrawalId: string;
  readonly secret: string;
  readonly url: string;
  readonly status: () => string | undefined;
}

/** A withdrawal that awaits email confirmation. */
async function asked(name = "", amount = "50", branding = UNBRANDED): Promise<Asked> {
  const venue = new WalletVenue({ branding });
  OPEN.push(venue);
  venue.setNetworks("XRP", { network: "XRP", isTagged: true, confirmsByMail: true });
  const address = `<b>${name}`;
  const { json } = await venue.withdraw({ asset: "XRP", address, addressTag: "77", amount });
  assert.equal(json.success, true, JSON.stringify(json));
  const [mail] = venue.mails;
  assert.ok(mail !== undefined);
  const port = await venue.gateway.listen("127.0.0.1", 0);
  const query = new URLSearchParams({ id: mail.withdrawalId, secret: mail.secret });
  return {
    venue,
    withdrawalId: mail.withdrawalId,
    secret: mail.secret,
    url: `http://127.0.0.1:${port}${CONFIRM_PATH}?${query}`,
    status: () => venue.engine.funds.withdrawal(mail.withdrawalId)?.status,
  };
}

test("the email has everything the customer needs, and the journal only the secret's hash", async () => {
  const { venue, withdrawalId, secret } = await asked();
  assert.deepEqual(venue.mails, [
    {
      withdrawalId,
      secret,
      email: "trader@example.org",
      asset: "XRP",
      network: "XRP",
      address: "<b>",
      tag: "77",
      name: "",
      amount: "50.000",
      fee: "0.010",
      receives: "49.990",
      minutesLeft: 30,
      language: undefined,
    },
  ]);
  assert.ok(secret.length >= 43, "256 bits");
  assert.doesNotMatch(venue.engine.funds.withdrawal(withdrawalId)?.confirmationHash ?? secret, new RegExp(secret));
  assert.equal((await venue.get("/wapi/v3/withdrawHistory.html")).json.withdrawList[0].status, 0);
});

test("a withdrawal without email confirmation gets no email", async () => {
  const venue = new WalletVenue();
  assert.equal((await venue.withdraw()).json.success, true);
  assert.deepEqual(venue.mails, []);
});

test("opening the link shows the withdrawal and changes nothing", async () => {
  const { url, status, venue } = await asked('"><script>alert(1)</script>');
  const seq = venue.engine.seq;
  for (const method of ["GET", "HEAD", "GET"]) {
    const response = await fetch(url, { method });
    const text = await response.text();
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
    assert.equal(response.headers.get("referrer-policy"), "no-referrer");
    assert.match(response.headers.get("content-security-policy") ?? "", /default-src 'none'.*frame-ancestors 'none'/);
    if (method === "HEAD") continue;
    assert.match(text, /50\.000 XRP/);
    assert.match(text, /<form method="post">/);
    assert.ok(!text.includes("<script>") && !text.includes("<b>") && text.includes("&lt;script&gt;"), "escaped");
  }
  assert.deepEqual([status(), venue.engine.seq], ["emailSent", seq]);
});

test("the page has the customer's language, and the venue's name, logo and colors", async () => {
  const page = { name: "<i>Venue", support: null, logo: "branding/logo-x.png", colors: "branding/colors-x.css" };
  const { url, venue } = await asked("", "50", { page, language: "en" });
  assert.match(await (await fetch(url)).text(), /<html lang="en".*<title>Confirm your withdrawal · &lt;i&gt;Venue</);
  venue.act({ type: "changeAccount", by: "test", accountId: venue.trader.accountId, language: "de" });
  const response = await fetch(url);
  const text = await response.text();
  assert.match(
    text,
    /<html lang="de".*<h1>Auszahlung bestätigen.*50,000 XRP.*<button>Auszahlung bestätigen<.*stornieren.*account/,
  );
  for (const part of ['<img src="../branding/logo-x.png" alt="">', 'href="../branding/colors-x.css"'])
    assert.ok(text.includes(part), part);
  assert.ok(!text.includes("<i>"));
  assert.match(response.headers.get("content-security-policy") ?? "", /style-src 'self'.*img-src 'self'/);
  assert.match(await (await fetch(url, { method: "POST" })).text(), /Auszahlung bestätigt.*wartet auf die Freigabe/);
  // Without a withdrawal that has this secret, the language is that of the venue.
  assert.match(await (await fetch(`${url}x`)).text(), /no longer valid/);
});

test("the button confirms; pressed again, the link is no longer valid", async () => {
  const { url, status, venue } = await asked();
  const done = await fetch(url, { method: "POST" });
  assert.equal(done.status, 200);
  // Above the threshold, an operator decides next, and the page says so.
  assert.match(
    await done.text(),
    /Withdrawal confirmed.*awaiting approval.*<a href="\.\.\/account\/#\/history\?kind=withdrawals">/,
  );
  assert.equal(status(), "awaitingApproval");
  const { seq } = venue.engine;
  for (const method of ["POST", "GET"]) {
    const again = await fetch(url, { method });
    assert.equal(again.status, 410);
    assert.match(await again.text(), /no longer valid/);
  }
  assert.equal(venue.engine.seq, seq, "replays do not reach the journal");
});

test("the page says that a withdrawal below the threshold is processed at once", async () => {
  const { url, status } = await asked("", "5");
  const done = await fetch(url, { method: "POST" });
  assert.match(await done.text(), /Withdrawal confirmed.*being processed/);
  assert.equal(status(), "processing");
});

test("a wrong, foreign or missing secret, and other methods", async () => {
  const { url, status, venue, withdrawalId } = await asked();
  const { seq } = venue.engine;
  const base = url.slice(0, url.indexOf("?"));
  for (const query of [
    "",
    `?id=${withdrawalId}`,
    `?id=${withdrawalId}&secret=x`,
    "?id=&secret=",
    "?secret=%ff&id=__proto__",
  ]) {
    for (const method of ["GET", "POST"]) {
      const response = await fetch(base + query, { method });
      assert.equal(response.status, 410, `${method} ${query}`);
    }
  }
  const wrong = await fetch(url, { method: "DELETE" });
  assert.deepEqual([wrong.status, wrong.headers.get("allow")], [405, "GET, HEAD, POST"]);
  assert.deepEqual([status(), venue.engine.seq], ["emailSent", seq]);
  venue.nowMs += 30 * 60_000;
  const late = await fetch(url, { method: "POST" });
  assert.equal(late.status, 410, "its time is over");
  venue.act({ type: "tick" });
  assert.equal(status(), undefined, "and it is cancelled");
});

test("if the journal fails, the page says so, and the link stays valid", async () => {
  const { url, status, venue } = await asked();
  venue.failNext = new NotAccepted("full");
  const response = await fetch(url, { method: "POST" });
  assert.equal(response.status, 503);
  assert.match(await response.text(), /Open the link again/);
  assert.equal(status(), "emailSent");
  assert.deepEqual(venue.bugs, []);
});
