/** Every attack, in execution order. */
import type { Attack } from "../attack.ts";
import { banned } from "./banned.ts";
import { branding } from "./branding.ts";
import { browserSessions } from "./browser-sessions.ts";
import { clockJumps } from "./clock-jumps.ts";
import { expensiveRequests } from "./expensive-requests.ts";
import { fullDisk } from "./full-disk.ts";
import { incompleteRequests } from "./incomplete-requests.ts";
import { lockOut } from "./lock-out.ts";
import { operatorRaces } from "./operator-races.ts";
import { pipelining } from "./pipelining.ts";
import { replays } from "./replays.ts";
import { signInFloods } from "./sign-in-floods.ts";
import { unreadAnswers } from "./unread-answers.ts";
import { wrongKeys } from "./wrong-keys.ts";

export const ATTACKS: readonly Attack[] = [
  ...[pipelining, unreadAnswers, incompleteRequests, expensiveRequests, signInFloods, lockOut, banned],
  ...[fullDisk, clockJumps, wrongKeys, operatorRaces, replays, browserSessions, branding],
];
