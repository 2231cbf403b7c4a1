/** How the table of rooms names rooms: as paths in the repository. */
import { engine } from "./engine-rooms.ts";

export const server = (room: string): string => `packages/server/src/${room}`;
export const web = (room: string): string => `packages/web/src/${room}`;
export const lab = (room: string): string => `packages/lab/src/${room}`;

/** All that other packages know of the engine. */
export const ENGINE = engine("index.ts");
export const PROTOCOL = "packages/protocol/src";
