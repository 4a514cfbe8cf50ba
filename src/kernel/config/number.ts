import { z } from "zod";

/** Returns the schema of a variable that contains a whole number. The error contains the value and the range. */
export const wholeNumber = (least: number, most: number) =>
  numberIn(z.coerce.number().int().min(least).max(most), `a whole number from ${least} to ${most}`);

/** Returns the schema of a variable that contains a number. The error contains the value and the range. */
export const numberBetween = (least: number, most: number) =>
  numberIn(z.coerce.number().min(least).max(most), `a number from ${least} to ${most}`);

const numberIn = (schema: z.ZodType<number>, rule: string) =>
  z.string().transform((text, context) => {
    // A text that consists of spaces would be converted to 0.
    const { data } = schema.safeParse(text.trim() === "" ? Number.NaN : text);
    if (data !== undefined) return data;
    context.addIssue(`must be ${rule}, not ${JSON.stringify(text)}`);
    return z.NEVER;
  });
