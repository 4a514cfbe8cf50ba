import { z } from "zod";
import type { User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";
import type { ApiVersion } from "./versions";

/**
 * The type of an object in a response: the fields with their types, and the function that returns the values
 * of the fields. The declared fields are the fields of API v5.
 */
export type Entity<Value> = Readonly<{
  name: string;
  schema: z.ZodObject | z.ZodLiteral<true>;
  /**
   * @param viewer the caller; null for a request without a token.
   * @param version the version of the request, which is also the version of URLs in the response.
   */
  present: (value: Value, deps: Deps, viewer: User | null, version: ApiVersion) => object | true;
}>;

/**
 * Declares an entity of the API. The compiler and the tests check that the function `present` returns the
 * declared fields.
 *
 * Entities should combine several objects with `Object.assign`, which takes five microseconds for the entity
 * of a user. An object literal that begins with `...` takes forty microseconds for the entity of a user. The
 * difference of 35 microseconds matters because a list has up to a hundred rows.
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

/** The response of the GitLab API to a successful operation without a result. */
export const done: Entity<unknown> = { name: "done", schema: z.literal(true), present: () => true };

/** Returns the base URL of the API in the given version. */
export const apiOf = ({ config }: Pick<Deps, "config">, version: ApiVersion): string =>
  `${config.issuer}/api/${version}`;

/** A time as ISO 8601 in UTC. */
export const moment = z.iso.datetime();
/** A day as `YYYY-MM-DD`. */
export const day = z.iso.date();
