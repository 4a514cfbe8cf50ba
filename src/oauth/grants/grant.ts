import type { z } from "zod";
import type { Application } from "@/features/applications/rules";
import type { Deps } from "@/platform/deps";
import { type Form, refusalFor } from "../form";

export type Grant = Readonly<{
  type: string;
  exchange: (deps: Deps, client: Application, sent: Form) => Promise<object>;
}>;

/** A grant sees only the form that it asked for: parsing and blaming happen here. */
export function defineGrant<Fields extends z.ZodType>(grant: {
  readonly type: string;
  readonly fields: Fields;
  readonly exchange: (deps: Deps, client: Application, form: z.infer<Fields>) => Promise<object>;
}): Grant {
  return {
    type: grant.type,
    exchange: async (deps, client, sent) => {
      const form = grant.fields.safeParse(Object.fromEntries(sent));
      if (!form.success) throw refusalFor(form.error, sent);
      return grant.exchange(deps, client, form.data);
    },
  };
}
