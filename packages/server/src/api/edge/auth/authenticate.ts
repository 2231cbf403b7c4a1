/** Authenticates a request: the key, its permissions, the time and the signature. Interface 5; order: Interface 7.7. */
import type { ApiKey, EngineView } from "@pricetime/engine";
import {
  BAD_API_KEY_FORMAT,
  checkTiming,
  INVALID_SIGNATURE,
  isApiKey,
  otherPayload,
  REJECTED_API_KEY,
  UNAUTHORIZED,
} from "@pricetime/protocol";
import type { Endpoint, ParsedRequest, Security } from "@pricetime/protocol";
import { normaliseIp } from "../http/client-address.ts";
import { Refused } from "../refusals.ts";
import type { RequestHeaders } from "../request.ts";
import type { Secrets } from "./secrets.ts";
import { isSignedBy } from "./signature.ts";

export const API_KEY_HEADER = "x-mbx-apikey";

/** Whether there is a key; an empty header counts as none, because clients without a key send one. */
export function namesApiKey(headers: RequestHeaders): boolean {
  const sent = headers[API_KEY_HEADER];
  return sent !== undefined && sent !== "";
}

/** The key's text; throws -2014 when it is missing or malformed. */
export function sentApiKey(headers: RequestHeaders): string {
  return wellFormedApiKey(headers[API_KEY_HEADER]);
}

export function wellFormedApiKey(sent: unknown): string {
  if (typeof sent !== "string" || !isApiKey(sent)) throw new Refused(BAD_API_KEY_FORMAT);
  return sent;
}

/** The key, if it exists and allows this from this address; else throws -2015, or -1002 for a missing permission. */
export function knownApiKey(engine: EngineView, sent: string, endpoint: Endpoint, ip: string): ApiKey {
  const key = engine.apiKey(sent);
  if (key === undefined || !mayComeFrom(key, ip)) throw new Refused(REJECTED_API_KEY);
  checkPermission(key, endpoint);
  return key;
}

/** Throws -2015, or -1002 for a permission that the endpoint wants besides its security type. */
export function checkPermission(key: ApiKey, { security, permission }: Endpoint): void {
  if (!mayUse(key, security)) throw new Refused(REJECTED_API_KEY);
  if (permission !== undefined && !key.permissions.includes(permission)) throw new Refused(UNAUTHORIZED);
}

function mayUse(key: ApiKey, security: Security): boolean {
  return security === "NONE" || key.permissions.includes(security);
}

function mayComeFrom(key: ApiKey, ip: string): boolean {
  if (key.ipAllowList.length === 0) return true;
  return key.ipAllowList.some((allowed) => normaliseIp(allowed) === ip);
}

/** Throws -1021 or -1131. */
export function checkTimely({ timestampMs, recvWindowMs }: ParsedRequest, nowMs: number): void {
  const late = checkTiming(timestampMs, recvWindowMs, nowMs);
  if (late !== null) throw new Refused(late);
}

/**
 * Throws -1022. The signature covers the bytes as sent or, as some clients sign, as
 * decoded (decision 17) or with parameters that are null (decision 74).
 */
export function checkSigned(secrets: Secrets, key: ApiKey, request: ParsedRequest): void {
  const verifyingKey = secrets.of(key);
  const { payload, signature } = request;
  if (isSignedBy(verifyingKey, payload, signature)) return;
  const other = otherPayload(request);
  if (other === undefined || !isSignedBy(verifyingKey, other, signature)) throw new Refused(INVALID_SIGNATURE);
}
