/** The lines between members of etcd lose what they are told to, and a member can be replaced. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { noEtcd, type EtcdMember } from "@pricetime/testkit/etcd";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { comes, until } from "@pricetime/testkit/waiting";
import { Members, MEMBER_NAMES } from "../../failover/cluster/members.ts";

const KEY = Buffer.from("key").toString("base64");

const puts = (member: EtcdMember, value: string): Promise<boolean> =>
  // A member without a leader answers late.
  member.ask("kv/put", { key: KEY, value: Buffer.from(value).toString("base64") }, 1_000).then(
    () => true,
    () => false,
  );

test("lines between members, and a member replaced", { skip: noEtcd }, async (t) => {
  const folder = scratchFolder(t);
  for (const name of MEMBER_NAMES) mkdirSync(join(folder, name));
  const members = await Members.start(folder);
  inTheEnd(t, () => members.stop());
  const first = await members.leader();
  const others = members.all.filter((member) => member !== first);

  await t.test("a leader that is cut off from its peers takes nothing, and another leads", async () => {
    for (const { name } of others) {
      members.lines.lose(first.name, name);
      members.lines.lose(name, first.name);
    }
    await until("the others have a leader", async () => puts(others[0] as EtcdMember, "one"));
    assert.equal(await puts(first, "two"), false);
    members.lines.heal();
    await until("it takes part again", () => puts(first, "three"));
  });

  await t.test("one way is enough to lose the lead", async () => {
    const leader = await members.leader();
    for (const member of members.all) if (member !== leader) members.lines.lose(leader.name, member.name);
    const isAnother = async (): Promise<boolean> => (await members.leader()) !== leader;
    await until("another leads", isAnother);
    members.lines.heal();
  });

  await t.test("a replaced member has an id of its own and what the others have", async () => {
    const last = members.all.at(-1) as EtcdMember;
    await until("it says its id", () => comes(() => last.status().then(() => true), { withinMs: 100 }));
    const { id } = await last.status();
    await members.replace(last.name);
    const added = members.all.at(-1) as EtcdMember;
    assert.notEqual((await added.status()).id, id);
    await until("it takes part", () => puts(added, "four"));
  });
});
