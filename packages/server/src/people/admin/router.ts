/** Requests of the admin API, and the constructors for its routes and a lab's routes. */
import type { z } from "zod";
import { Rejection } from "../http/answer.ts";
import type { Found } from "../http/route-table.ts";
import { type Parsed, type Received, type Route, routeMaker } from "../http/route.ts";
import type { Caller, Need } from "./operator.ts";
import { parseWith } from "./parse.ts";

export interface AdminRequest extends Received {
  /** The author recorded in the journal, such as `operator:carol`. */
  readonly by: string;
  readonly caller: Caller;
  /** Calls `task` if the client disconnects before it is answered. Absent for calls within the process. */
  readonly onGone?: ((task: () => void) => void) | undefined;
}

export type AdminRoute = Route<Need, AdminRequest>;

/** Returns the route. Throws `Rejection` 404 for an unknown path, 405 for a wrong method. */
export function foundOr<R>(found: Found<R> | "unknown path" | "wrong method", method: string): Found<R> {
  if (found === "wrong method") {
    throw new Rejection(405, "METHOD_NOT_ALLOWED", `${method} is not supported on this path.`);
  }
  if (found === "unknown path") {
    throw new Rejection(404, "UNKNOWN_PATH", "No route has this path. See /openapi.json.");
  }
  return found;
}

/** A parsed request as passed to handlers. */
export type Asked<Body extends z.ZodType = z.ZodType, Name extends string = never> = Parsed<
  AdminRequest,
  Body,
  z.ZodType,
  Name
>;

export const route = routeMaker<AdminRequest, void, Need>(parseWith, {});

/** Creates a lab route, which requires the admin token. */
export const labRoute = routeMaker<AdminRequest, void, Need, "needs">(parseWith, { needs: "token" });

/** The common path prefix of all lab routes. */
export const LAB_PATH = "/v1/lab/";
