import { z } from "zod";

/** What the documents say of a value: JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<{
  type?: string | readonly string[];
  format?: string;
  description?: string;
  default?: unknown;
  enum?: readonly unknown[];
  const?: unknown;
  items?: JsonSchema;
  maxItems?: number;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  anyOf?: readonly JsonSchema[];
  $ref?: string;
  deprecated?: boolean;
}>;

/**
 * The schema of what a program sends, or of what it gets back. It is made from what validates or declares the fields:
 * a field that is read from several spellings says with `.meta({ type })` which of them a program should send.
 */
export function jsonSchemaOf(fields: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(fields, { io, unrepresentable: "any", override: tidy });
  return schema as JsonSchema;
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"]>;

/** Takes out what only a machine would say: alternatives of spelling, patterns beside a format, limits of a number. */
const tidy: Override = ({ zodSchema, jsonSchema }) => {
  const { def } = zodSchema._zod;
  if (def.type === "default") jsonSchema.default = def.defaultValue as never;
  if (jsonSchema.type !== undefined) delete jsonSchema.anyOf;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (def.type !== "nullable") return;
  const [value] = jsonSchema.anyOf ?? [];
  if (typeof value?.type !== "string" || value.type === "object") return;
  delete jsonSchema.anyOf;
  const values = value.enum === undefined ? {} : { enum: [...value.enum, null] };
  Object.assign(jsonSchema, value, { type: [value.type, "null"] }, values);
};
