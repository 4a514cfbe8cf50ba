import { z } from "zod";
import type { User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";
import type { ApiVersion } from "./versions";

/** What comes back of one thing: its fields with their types, and how they are filled. Written in the v5 shape. */
export type Entity<Value> = Readonly<{
  name: string;
  schema: z.ZodObject | z.ZodLiteral<true>;
  /**
   * @param viewer who asked; null for somebody without a token.
   * @param version that was asked for: what it leads to is in the same one.
   */
  present: (value: Value, deps: Deps, viewer: User | null, version: ApiVersion) => object | true;
}>;

/**
 * Declares an entity. What `present` makes has the declared fields: the compiler checks it, and the tests do.
 *
 * Several objects become one by `Object.assign`: to a literal that begins with `...`, V8 adds each further member in a
 * microsecond or two, which is forty for a person, where this takes five for all, and a list shows a hundred.
 */
export const defineEntity = <Value, Shape extends z.ZodRawShape>(
  name: string,
  fields: Shape,
  present: (
    value: Value,
    deps: Deps,
    viewer: User | null,
    version: ApiVersion,
  ) => z.infer<z.ZodObject<Shape>>,
) => ({ name, schema: z.object(fields), present }) satisfies Entity<Value>;

/** The dialect's whole answer where something was done and there is nothing to show. */
export const done: Entity<unknown> = { name: "done", schema: z.literal(true), present: () => true };

/** Where the API is, in the version that was asked for. */
export const apiOf = ({ config }: Pick<Deps, "config">, version: ApiVersion): string =>
  `${config.issuer}/api/${version}`;

/** A moment, as ISO 8601 in UTC. */
export const moment = z.iso.datetime();
/** A day, as `YYYY-MM-DD`. */
export const day = z.iso.date();
