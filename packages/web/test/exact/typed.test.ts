/** Numbers as they are shown and typed in different locales. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import fc from "fast-check";
import { compare, type Decimal, decimal, formatDecimal } from "../../src/exact/decimal.ts";
import { localeStyle, type NumberStyle, numberStyle, styleOf } from "../../src/exact/number-style.ts";
import { grouped, showAmount, showDecimal, ungrouped } from "../../src/exact/shown.ts";
import { fieldText, meaningsOf, readingsOf, storedText } from "../../src/exact/typed.ts";

const ENGLISH = numberStyle.value;
afterEach(() => {
  numberStyle.value = ENGLISH;
});

const STYLES = {
  en: { decimal: ".", group: "," },
  de: { decimal: ",", group: "." },
  fr: { decimal: ",", group: "\u202f" },
  "de-CH": { decimal: ".", group: "’" },
  "pt-PT": { decimal: ",", group: "\u202f" },
  "en-IN": { decimal: ".", group: "," },
  "ar-EG": { decimal: ".", group: "," },
  "no such locale": { decimal: ".", group: "," },
} as const satisfies Record<string, NumberStyle>;

test("each locale has its separators, and a choice of the settings overrides them", () => {
  for (const [locale, style] of Object.entries(STYLES)) assert.deepEqual(localeStyle(locale), style, locale);
  assert.deepEqual(styleOf("system", "de"), STYLES.de);
  assert.deepEqual(styleOf("point", "de"), STYLES.en);
  assert.deepEqual(styleOf("space", "en"), STYLES.fr);
});

test("numbers have the locale's separators", () => {
  numberStyle.value = STYLES.de;
  assert.equal(grouped("-1234567.89"), "-1.234.567,89");
  assert.equal(showDecimal("60000.019", 2), "60.000,01");
  assert.equal(showAmount("1234.50000000"), "1.234,50");
  assert.equal(ungrouped("1234.5"), "1234,5");
});

test("a typed number is read by its separators; one that can mean two numbers is not decided", () => {
  const table: readonly (readonly [typed: string, en: readonly string[], de?: readonly string[]])[] = [
    ["1.234,56", ["1234.56"]],
    ["1,234.56", ["1234.56"]],
    ["1.234.567", ["1234567"]],
    ["1,234,567.8", ["1234567.8"]],
    ["12,34,567.8", ["1234567.8"]],
    ["1 234,5", ["1234.5"]],
    ["1\u202f234\u202f567", ["1234567"]],
    ["1'234.5", ["1234.5"]],
    [" 0060 ", ["60"]],
    ["0,5", ["0.5"]],
    ["0.5", ["0.5"]],
    [",5", ["0.5"]],
    ["5.", ["5"]],
    ["0,125", ["0.125"]],
    ["60000.00", ["60000.00"]],
    ["1234,567", ["1234.567"]],
    ["−1,5", ["-1.5"]],
    // These depend on the page's own decimal separator, and with the other one they are not decided.
    ["1.234", ["1.234"], ["1.234", "1234"]],
    ["1,234", ["1.234", "1234"], ["1.234"]],
    ["123.456", ["123.456"], ["123.456", "123456"]],
    // No numbers.
    ...[
      "1.23.4",
      "1,2,3",
      "1.234.56",
      "1.234.567.8",
      "0,123,456",
      "1,,2",
      "1e5",
      "abc",
      ".",
      "1 2",
      "1.000,000,000",
      "--1",
    ].map((text) => [text, []] as const),
  ];
  for (const [typed, en, de = en] of table) {
    assert.deepEqual(readingsOf(typed, STYLES.en), en, `${typed} in English`);
    assert.deepEqual(readingsOf(typed, STYLES.de), de, `${typed} in German`);
  }
});

const aStyle = fc.constantFrom(...Object.values(STYLES));
const aValue: fc.Arbitrary<Decimal> = fc.record({ units: fc.bigInt(0n, 10n ** 20n), digits: fc.nat(8) });
const isSame = (one: string, other: string): boolean => compare(decimal(one), decimal(other)) === 0;

test("a shown number is read as itself or asked about, in every locale; one with a decimal separator as itself", () => {
  fc.assert(
    fc.property(aStyle, aValue, (style, value) => {
      numberStyle.value = style;
      const plain = formatDecimal(value);
      const readings = readingsOf(grouped(plain));
      assert.ok(readings.some((reading) => isSame(reading, plain)));
      if (value.digits > 0) assert.equal(readings.length, 1);
      // Without separators of thousands, as in a field that is being edited, it is always clear.
      assert.equal(storedText(ungrouped(plain)), plain);
    }),
  );
});

test("a number is never taken for another: written in one locale and typed in another, it is read right or asked", () => {
  fc.assert(
    fc.property(aStyle, aStyle, aValue, (written, page, value) => {
      numberStyle.value = written;
      const text = grouped(formatDecimal(value));
      numberStyle.value = page;
      const readings = readingsOf(text);
      // A single separator that the page itself uses for decimals is the only one that is decided by the page.
      const marks = text.replace(/\d/g, "");
      if (marks === page.decimal && page.decimal !== written.decimal) return;
      assert.ok(
        readings.some((reading) => isSame(reading, formatDecimal(value))),
        `${text}: ${readings.join(" ")}`,
      );
    }),
  );
});

test("a text that is not one number is stored so that no check takes it for a number, and is shown as typed", () => {
  numberStyle.value = STYLES.de;
  assert.deepEqual(["1.234,5", "1.234", "x", "  "].map(storedText), ["1234.5", "?1.234", "?x", ""]);
  assert.deepEqual(meaningsOf("?1.234"), ["1.234", "1234"]);
  assert.deepEqual(meaningsOf("?x"), []);
  assert.equal(meaningsOf("1234.5"), null);
  assert.deepEqual(
    [fieldText("?1.234", false), fieldText("1234.5", false), fieldText("1234.5", true)],
    ["1.234", "1.234,5", "1234,5"],
  );
});
