/** Which paths are the API's, and requests that belong to no endpoint. Interface S.3. */
import { ENDPOINTS, methodsOf, UNKNOWN_PATH, WRONG_METHOD } from "@pricetime/protocol";
import type { ApiError, Family } from "@pricetime/protocol";
import { FORBIDDEN_PATH, Refused } from "./edge/refusals.ts";

const ORDINARY_PATH = /^\/[A-Za-z0-9._~/-]*$/;
/** A step to the same or the parent folder. */
const STEP = /(^|\/)\.\.?(\/|$)/;

function strayError(path: string, isWrongMethod: boolean): ApiError {
  if (isWrongMethod) return WRONG_METHOD;
  return ORDINARY_PATH.test(path) && !STEP.test(path) ? UNKNOWN_PATH : FORBIDDEN_PATH;
}

/** The refusal names the path's methods where the path has others than that of the request. */
export function strayRefusal(path: string, isWrongMethod: boolean): Refused {
  return new Refused(strayError(path, isWrongMethod), 0, isWrongMethod ? methodsOf(path).join(", ") : "");
}

/** The first folders of endpoints: `/api/`, `/sapi/`, and so on. Pages and sockets are elsewhere. */
const ROOTS: ReadonlySet<string> = new Set(ENDPOINTS.flatMap(({ paths }) => paths.map(rootOf)));

function rootOf(path: string): string {
  return path.slice(0, path.indexOf("/", 1) + 1);
}

export function isOfApi(path: string): boolean {
  return ROOTS.has(rootOf(path));
}

export function familyOf(path: string): Family {
  if (path.startsWith("/wapi/")) return "wapi";
  return path.startsWith("/sapi/") ? "sapi" : "api";
}
