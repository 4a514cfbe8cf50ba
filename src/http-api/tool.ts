import { z } from "zod";
import type { Principal } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import type { AccessRule, ScopedAccessRule } from "./access-rules";
import type { Entity } from "./entity";

/** The reference to a project in the input of a tool: its id or its full path. */
export const projectReference = z
  .union([z.int().positive(), z.string().min(1).max(1_024)])
  .describe("The id of a project, or its full path, such as group/project.");

/** The page of a list in the input of a tool. */
export const pageNumber = z
  .int()
  .min(1)
  .max(1_000)
  .default(1)
  .describe("The number of the page. Each page has 20 rows.");

const ROWS_PER_PAGE = 20;

/** Returns the paging of a list that a tool returns. */
export const pagingOf = (page: number): Paging => ({ kind: "offset", page, perPage: ROWS_PER_PAGE });

type Definition<Who, Fields extends z.ZodObject> = Readonly<{
  name: string;
  title: string;
  description: string;
  /** The access rule of the endpoint that returns the same data as the tool. */
  in: AccessRule<Who> | ScopedAccessRule<Who>;
  /** The input of the tool; `project` is the project to which the access rule applies. */
  input: Fields;
  /** Set for a tool that changes data. */
  changes?: true;
  run: (deps: Deps, who: Who, input: z.infer<Fields>, show: Show) => Promise<object>;
}>;

/** Returns the values of an entity, as the API shows them to the caller. */
export type Show = <Value>(entity: Entity<Value>, value: Value) => object | true;

/** A tool of the MCP server. */
export type Tool = Readonly<{
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  changes: boolean;
  /**
   * Calls the tool for a user, with the rights of this user.
   * @param recordCall records the call after the access of the user was checked.
   * @throws the same ApiError as the endpoint that returns the data of the tool.
   */
  call: (deps: Deps, caller: Principal, input: unknown, recordCall: () => Promise<void>) => Promise<object>;
}>;

/** Declares a tool of the MCP server. */
export const defineTool = <Who, Fields extends z.ZodObject>(definition: Definition<Who, Fields>): Tool => ({
  name: definition.name,
  title: definition.title,
  description: definition.description,
  input: definition.input,
  changes: definition.changes ?? false,
  async call(deps, caller, input, recordCall) {
    const fields = definition.input.parse(input);
    const path = { id: fields["project"] };
    const who = await definition.in.admit({ deps, caller, path, version: "v4" });
    await recordCall();
    const show: Show = (entity, value) => entity.present(value, deps, caller.user, "v4");
    return definition.run(deps, who, fields, show);
  },
});

/** Returns a page of rows, as the API shows them to the caller. */
export const shownPage = <Row>(show: Show, entity: Entity<Row>, { rows, total }: Page<Row>): object => ({
  rows: rows.map((row) => show(entity, row)),
  total,
});
