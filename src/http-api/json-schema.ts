import { z } from "zod";

/** The JSON Schema (2020-12, as in OpenAPI 3.1) of a value in the OpenAPI documents. */
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
 * Returns the schema of a request or of a response, from the zod schema that validates or declares it. For a
 * field that accepts several types, `.meta({ type })` declares the type that programs should send.
 */
export function jsonSchemaOf(fields: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(fields, { io, unrepresentable: "any", override: tidy });
  return schema as JsonSchema;
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"]>;

/**
 * Removes details that are irrelevant to a human reader: alternative types, patterns in addition to a format,
 * and limits of integers.
 */
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
