/**
 * The legal ranges that -1100 prints, and their tests, which are loops because a regular expression could be slow on
 * hostile input. Interface 1.9, S.6 and S.20.
 */

export const SYMBOL_PATTERN = "^[A-Z0-9-_.]{1,20}$";
export const SYMBOLS_PATTERN = '^\\[("[A-Z0-9-_.]{1,20}"(,"[A-Z0-9-_.]{1,20}"){0,}){0,1}\\]$';
export const INTEGER_PATTERN = "^[0-9]{1,20}$";
export const DECIMAL_PATTERN = "^([0-9]{1,20})(\\.[0-9]{1,20})?$";
export const DURATION_PATTERN = "^([0-9]{1,20})(\\.[0-9]{1,3})?$";
export const CLIENT_ORDER_ID_PATTERN = "^[.A-Z:/a-z0-9_-]{1,36}$";
export const SIGNATURE_PATTERN = "^[A-Fa-f0-9]{64}$";
/**
 * Ed25519 signature, base64. The key's type is not known yet when -1100 is sent, so the error prints only the pattern
 * above.
 */
export const ED25519_SIGNATURE_PATTERN = "^[A-Za-z0-9+/]{86}==$";
/** RSA signature of a key with 2048 or 4096 bits, base64. */
export const RSA_SIGNATURE_PATTERN = "^([A-Za-z0-9+/]{342}==|[A-Za-z0-9+/]{683}=)$";
export const API_KEY_PATTERN = "^[A-Za-z0-9]{64}$";
export const LISTEN_KEY_PATTERN = "^[a-zA-Z0-9]{1,64}$";
/** The range of texts without a narrower range of their own. */
export const TEXT_PATTERN = "^[^\\x00-\\x1f\\x7f]{1,256}$";

const MAX_SYMBOL_LENGTH = 20;
const MAX_DIGITS = 20;
const MAX_CLIENT_ORDER_ID_LENGTH = 36;
const KEY_LENGTH = 64;
/** 64 bytes in base64, without the two padding characters. */
const ED25519_SIGNATURE_LENGTH = 86;
/** 256 and 512 bytes in base64, without the padding. */
const RSA_SIGNATURES = [
  { length: 342, padding: "==" },
  { length: 683, padding: "=" },
];
const MAX_TEXT_LENGTH = 256;

const SYMBOL_BIT = 1;
const DIGIT_BIT = 2;
const CLIENT_ORDER_ID_BIT = 4;
const HEX_BIT = 8;
const ALPHANUMERIC_BIT = 16;
const BASE64_BIT = 32;

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = UPPER.toLowerCase();
const DIGITS = "0123456789";

/** The character classes of each ASCII character, as bits. */
const CLASSES = new Uint8Array(128);
const fill = (bit: number, characters: string): void => {
  for (let i = 0; i < characters.length; i++) {
    const c = characters.charCodeAt(i);
    CLASSES[c] = (CLASSES[c] ?? 0) | bit;
  }
};
fill(SYMBOL_BIT, `${UPPER}${DIGITS}-_.`);
fill(DIGIT_BIT, DIGITS);
fill(CLIENT_ORDER_ID_BIT, `.${UPPER}:/${LOWER}${DIGITS}_-`);
fill(HEX_BIT, `${DIGITS}ABCDEFabcdef`);
fill(ALPHANUMERIC_BIT, `${UPPER}${LOWER}${DIGITS}`);
fill(BASE64_BIT, `${UPPER}${LOWER}${DIGITS}+/`);

/**
 * Whether `text` from `start` to `end` is not empty, has at most `max` characters, and consists only of characters of
 * the class.
 */
function isAll(bit: number, text: string, start: number, end: number, max: number): boolean {
  if (end <= start || end - start > max) return false;
  for (let i = start; i < end; i++) {
    // Characters outside ASCII belong to no class: the lookup returns undefined.
    if (((CLASSES[text.charCodeAt(i)] ?? 0) & bit) === 0) return false;
  }
  return true;
}

export function isSymbol(text: string): boolean {
  return isAll(SYMBOL_BIT, text, 0, text.length, MAX_SYMBOL_LENGTH);
}

/** Whether the text is a JSON array of symbols without spaces. The array may be empty. */
export function isSymbolList(text: string): boolean {
  if (text === "[]") return true;
  if (text.length < 2 || text.charCodeAt(0) !== 91 || text.charCodeAt(text.length - 1) !== 93) return false;
  let at = 1;
  const last = text.length - 1;
  for (;;) {
    if (text.charCodeAt(at) !== 34) return false;
    const close = text.indexOf('"', at + 1);
    if (close === -1 || !isAll(SYMBOL_BIT, text, at + 1, close, MAX_SYMBOL_LENGTH)) return false;
    at = close + 1;
    if (at === last) return true;
    if (text.charCodeAt(at) !== 44) return false;
    at++;
  }
}

export function isInteger(text: string): boolean {
  return isAll(DIGIT_BIT, text, 0, text.length, MAX_DIGITS);
}

export function isDecimal(text: string): boolean {
  const point = text.indexOf(".");
  if (point === -1) return isInteger(text);
  return isAll(DIGIT_BIT, text, 0, point, MAX_DIGITS) && isAll(DIGIT_BIT, text, point + 1, text.length, MAX_DIGITS);
}

const MAX_DURATION_DECIMALS = 3;

export function isDuration(text: string): boolean {
  const point = text.indexOf(".");
  return isDecimal(text) && (point === -1 || text.length - point - 1 <= MAX_DURATION_DECIMALS);
}

export function isClientOrderId(text: string): boolean {
  return isAll(CLIENT_ORDER_ID_BIT, text, 0, text.length, MAX_CLIENT_ORDER_ID_LENGTH);
}

export function isSignature(text: string): boolean {
  return text.length === KEY_LENGTH && isAll(HEX_BIT, text, 0, KEY_LENGTH, KEY_LENGTH);
}

export function isEd25519Signature(text: string): boolean {
  const length = ED25519_SIGNATURE_LENGTH;
  return text.length === length + 2 && text.endsWith("==") && isAll(BASE64_BIT, text, 0, length, length);
}

export function isRsaSignature(text: string): boolean {
  return RSA_SIGNATURES.some(
    ({ length, padding }) =>
      text.length === length + padding.length && text.endsWith(padding) && isAll(BASE64_BIT, text, 0, length, length),
  );
}

export function isApiKey(text: string): boolean {
  return text.length === KEY_LENGTH && isAll(ALPHANUMERIC_BIT, text, 0, KEY_LENGTH, KEY_LENGTH);
}

export function isListenKey(text: string): boolean {
  return isAll(ALPHANUMERIC_BIT, text, 0, text.length, KEY_LENGTH);
}

export function isText(text: string): boolean {
  if (text.length === 0 || text.length > MAX_TEXT_LENGTH) return false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c < 32 || c === 127) return false;
  }
  return true;
}
