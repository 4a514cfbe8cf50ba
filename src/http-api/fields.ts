import { z } from "zod";
import { ALL_ROLES, ROLES } from "@/access/roles";

/** A boolean in the notations that programs use in JSON, in a form or in a query. */
export const flag = z
  .union([
    z.boolean(),
    z.literal([0, 1]).transform((digit) => digit === 1),
    z
      .string()
      .regex(/^(?:true|false|t|f|1|0|on|off)$/i)
      .transform((word) => /^(?:true|t|1|on)$/i.test(word)),
  ])
  .meta({ type: "boolean" });

/** The largest integer that the integer columns of both databases can store. */
const INTEGER_MAX = 2_147_483_647;

/** A non-negative integer, from JSON or from text. */
export const whole = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^-?\d{1,10}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(0).max(INTEGER_MAX))
  .meta({ type: "integer" });

/** The number of a role in the GitLab API. */
export const accessLevel = whole.pipe(z.literal(ALL_ROLES.map((role) => ROLES[role].level)));

/**
 * Replaces an id above the maximum of the databases by the maximum. No row has this id, so a request with a
 * larger id gets the same response as a request with any other unknown id.
 */
const atMostMax = (number: number): number => Math.min(number, INTEGER_MAX);

/** The id of a database row, or 0. */
export const idOrZero = z
  .union([
    z.number().refine(Number.isInteger),
    z
      .string()
      .regex(/^-?\d+$/)
      .transform(Number),
  ])
  .transform(atMostMax)
  .pipe(z.int().min(0))
  .meta({ type: "integer" });

/** The id of a database row. */
export const id = idOrZero.pipe(z.int().min(1)).meta({ type: "integer" });

/** Trimmed text of at most `charactersMax` characters. */
export const text = (charactersMax: number) => z.string().trim().max(charactersMax);

/** A list of words: an array, `name[]=a&name[]=b`, or one string with commas. */
export const words = z
  .union([
    z.array(z.string().max(255)).max(100),
    z
      .string()
      .max(4_096)
      .transform((list) => list.split(",").map((word) => word.trim())),
  ])
  .transform((list) => list.filter((word) => word !== ""))
  .meta({ type: "array", items: { type: "string" } });

/** A day as `YYYY-MM-DD`, which means the time at which the day begins in UTC. */
export const dayBegin = z.iso
  .date()
  .transform((date) => new Date(`${date}T00:00:00.000Z`))
  .meta({ type: "string", format: "date" });

/**
 * A list of ids: an array, `name[]=1&name[]=2`, or one string with commas. The id 0 and an empty string match
 * no row.
 */
export const ids = z
  .union([
    z.array(idOrZero).max(100),
    z
      .string()
      .max(4_096)
      .trim()
      .regex(/^(?:\d+(?:\s*,\s*\d+)*)?$/)
      .transform((list) => list.split(",").map((number) => atMostMax(Number(number)))),
  ])
  .transform((list) => [...new Set(list)].filter((one) => one > 0).slice(0, 100))
  .meta({ type: "array", items: { type: "integer" } });

/** The bytes of a file in `multipart/form-data`. */
export const file = z
  .custom<Uint8Array>((value) => value instanceof Uint8Array)
  .meta({ type: "string", format: "binary" });

/** A time as ISO 8601; a time without an offset is in UTC, and a day means the time at which the day begins in UTC. */
export const instant = z
  .union([
    z.iso
      .datetime({ offset: true, local: true })
      .transform((time) => new Date(/(?:Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`)),
    dayBegin,
  ])
  .meta({ type: "string", format: "date-time" });
