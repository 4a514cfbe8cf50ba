import { z } from "zod";
import { defineEntity } from "@/http-api/entity";

/** GitLab's response to a test of a webhook. The test message is sent later, by a job. */
export const created = defineEntity("created", { message: z.literal("201 Created") }, (_done: null) => ({
  message: "201 Created" as const,
}));
