import { z } from "zod";
import { text } from "@/http-api/fields";

export const revision = text(1_024);

export const path = z.string().max(4_096);

export const nameSearch = z.object({
  search: text(255)
    .optional()
    .describe(
      "Text that occurs in the name. ^text matches names that begin with text, and text$ matches names that end with text.",
    ),
});
