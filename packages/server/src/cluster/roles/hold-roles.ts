/** The roles of one node among several: each part runs while this node holds its role. */
import { Role, type RoleOptions } from "./role.ts";
import type { RoleHolder, RolePart } from "./port.ts";

export interface HoldRolesOptions extends Omit<RoleOptions, "part"> {
  readonly parts: readonly RolePart[];
}

export interface HeldRoles {
  /** Asks for every role from here on. */
  start(): void;
  /** Hands over what is held; resolves when no part runs any more. */
  stop(): Promise<void>;
  /** The holder of a role; undefined when it was never granted, or is none of this node's. */
  holder(role: string): RoleHolder | undefined;
  /** Why this node does not have roles, by role; those without a reason are left out. */
  troubles(): Readonly<Record<string, string>>;
  names(): readonly string[];
}

export function holdRoles({ parts, ...options }: HoldRolesOptions): HeldRoles {
  const roles = new Map(parts.map((part) => [part.role, new Role({ ...options, part })]));
  return {
    start: () => {
      for (const role of roles.values()) role.start();
    },
    stop: async () => {
      await Promise.all([...roles.values()].map((role) => role.stop()));
    },
    holder: (name) => roles.get(name)?.holder(),
    troubles: () => {
      const all = [...roles].map(([name, { trouble }]) => [name, trouble] as const);
      return Object.fromEntries(all.filter(([, trouble]) => trouble !== ""));
    },
    names: () => [...roles.keys()],
  };
}
