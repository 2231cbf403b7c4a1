/** The venue's name, logo, colors and support address in pages: limits, escaping, and what is served. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { ROOT } from "@pricetime/testkit/venue";
import { brandedPage, readBranding } from "../../../src/api/web/branding.ts";
import { PageStore } from "../../../src/api/web/page-store.ts";
import { AdminSite, Site } from "../../../src/api/web/sites.ts";
import { leastContrast, THEMES } from "../../../src/platform/config/branding-schema.ts";
import { ConfigError } from "../../../src/platform/config/faults.ts";
import { fileSchema } from "../../../src/platform/config/schema.ts";

const folder = temporaryFolder();

/** The beginning of a PNG file of this size, which is all that the node reads. */
function png(width: number, height: number, bytes = 64): Buffer {
  const file = Buffer.alloc(bytes);
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(file);
  file.writeUInt32BE(width, 16);
  file.writeUInt32BE(height, 20);
  return file;
}

function logo(name: string, bytes: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

test("a logo is a PNG within its limits, and the error names the file and the limit", () => {
  const rejected = (name: string, bytes: Buffer, why: RegExp): void => {
    const logoFile = logo(name, bytes);
    assert.throws(
      () => readBranding({ logoFile }),
      (error) =>
        error instanceof ConfigError &&
        error.message.startsWith(`branding.logoFile: ${logoFile}: `) &&
        why.test(error.message),
    );
  };
  rejected("script.png", Buffer.from("<script>alert(1)</script>".repeat(10)), /not a PNG/);
  rejected("svg.png", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /not a PNG/);
  rejected("empty.png", Buffer.alloc(0), /not a PNG/);
  rejected("short.png", png(64, 64).subarray(0, 18), /not a PNG/);
  rejected("large.png", png(64, 64, 262_145), /262145 bytes; the maximum is 262144/);
  rejected("wide.png", png(1025, 64), /1025 x 64 pixels/);
  rejected("flat.png", png(64, 15), /64 x 15 pixels/);
  assert.throws(() => readBranding({ logoFile: join(folder, "missing.png") }), /missing\.png: the file cannot be read/);
  assert.ok(readBranding({ logoFile: logo("largest.png", png(1024, 16, 262_144)) }).logo);
});

test("an accent color needs enough contrast with the backgrounds of its theme", () => {
  const fault = (branding: object): string => fileSchema.safeParse({ branding }).error?.issues[0]?.message ?? "";
  assert.equal(fault({ accentLight: "#1d4ed8", accentDark: "#7aa2ff" }), "");
  assert.match(
    fault({ accentLight: "#7aa2ff" }),
    /contrast of [12]\.\d with the backgrounds of the light theme; texts need 4\.5\. Choose a darker color/,
  );
  assert.match(fault({ accentDark: "#1d4ed8" }), /dark theme.*Choose a lighter color/);
  for (const bad of ["red", "#fff", "#12345g", "#123456;}", "url(https://a.b)"])
    assert.notEqual(fault({ accentLight: bad }), "", bad);
  assert.equal(
    fault({ support: "javascript:alert(1)" }),
    "must be an email address, or a URL that begins with https://",
  );
  assert.notEqual(fault({ support: "http://example.com" }), "");
  assert.notEqual(fault({ name: "a\nb" }), "");
  assert.notEqual(fault({ name: "x".repeat(41) }), "");
});

test("the colors of the themes are those of the pages' style sheet", () => {
  const css = readFileSync(join(ROOT, "packages/web/src/style/tokens.css"), "utf8");
  const [dark = "", light = ""] = css.split(':root[data-theme="light"]');
  for (const ground of THEMES.dark.grounds) assert.ok(dark.includes(ground), ground);
  for (const ground of THEMES.light.grounds) assert.ok(light.includes(ground), ground);
  const accent = (part: string): string => /--accent: (#[0-9a-f]{6})/.exec(part)?.[1] ?? assert.fail();
  assert.ok(leastContrast(accent(dark), THEMES.dark) >= 4.5);
  assert.ok(leastContrast(accent(light), THEMES.light) >= 4.5);
});

const STRANGE = `"><script>alert(1)</script> $& \\' <b>`;

test("a name never becomes markup", () => {
  const page =
    '<html><head><title>Account · Pricetime</title>\n<link rel="icon" href="../favicon.svg" />\n</head><body></body></html>';
  const { page: branding } = readBranding({
    name: STRANGE,
    logoFile: logo("logo.png", png(32, 32)),
    support: 'https://a.example/?q="',
  });
  const html = brandedPage(Buffer.from(page), branding, "../").toString();
  assert.doesNotMatch(html, /<script|<b>|favicon/);
  assert.match(
    html,
    /<title>Account · &quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt; \$&amp; \\&#39; &lt;b&gt;<\/title>/,
  );
  const [, content = ""] = /<meta name="venue" content="([^"]*)"/.exec(html) ?? [];
  const facts = content
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
  assert.equal((JSON.parse(facts) as { name: string }).name, STRANGE);
  assert.match(html, /<link rel="icon" data-logo href="\.\.\/branding\/logo-[\w-]{22}\.png" type="image\/png" \/>/);
});

test("without branding, the pages are unchanged", () => {
  const page = Buffer.from("<html><head><title>Pricetime</title></head></html>");
  assert.equal(brandedPage(page, readBranding({}).page, "./"), page);
});

test("both ports serve the logo and the colors under names that change with their content", async () => {
  const branding = readBranding({
    logoFile: logo("served.png", png(48, 24)),
    accentLight: "#1d4ed8",
    accentDark: "#7aa2ff",
  });
  const store = new PageStore(folder, branding);
  const facts = () => assert.fail("no page is requested");
  const visitor = { accept: "*/*", isOnOwnMachine: true };
  for (const site of [new Site({ shelf: store, facts }), new AdminSite("1", store)]) {
    const png = await site.find(`/${branding.page.logo ?? ""}`, visitor);
    assert.deepEqual([png?.status, png?.contentType, png?.keeping], [200, "image/png", "for good"]);
    const css = await site.find(`/${branding.page.colors ?? ""}`, visitor);
    assert.equal(css?.contentType, "text/css;charset=UTF-8");
    assert.equal(
      css?.bytes.toString(),
      ':root[data-theme="dark"]{--accent:#7aa2ff;--accent-ink:#04110f;--accent-soft:#1f293a}\n' +
        ':root[data-theme="light"]{--accent:#1d4ed8;--accent-ink:#ffffff;--accent-soft:#e8edfb}\n',
    );
    assert.equal((await site.find("/branding/logo-none.png", visitor))?.status, 404);
  }
});
