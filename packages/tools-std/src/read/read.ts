import type { Files, ToolContext, ToolResult } from "@ashlar/context/tool";
import { nodeExecution } from "../execution/node-execution.js";
import { unreadable } from "../guard/file-failure.js";
import { openGuarded, requireRegular } from "../guard/open-file.js";
import { type GuardedPath, guardPath } from "../guard/path-guard.js";
import { shownName } from "../guard/shown-name.js";
import { credentialPlaces } from "../guard/user-folders.js";
import { requireWriting } from "../guard/write-guard.js";
import { ToolError } from "../tool-error.js";
import { fileView } from "./file-view.js";
import { folderListing } from "./listing/folder-listing.js";
import { EXCLUDE_GROUP, GLOB_GROUP, globExpressions } from "./listing/path-filter.js";
import { type ReadBudget, readBudget } from "./read-budget.js";
import type { ReadInput } from "./read-input.js";
import { ReadMeter } from "./read-meter.js";
import { notesText, withNotes } from "./read-notes.js";
import { type ReadRequest, readRequest } from "./read-request.js";
import type { ReadScope } from "./read-scope.js";
import { saveView } from "./read-target.js";
import type { ReadView } from "./read-view.js";
import { expressionOf } from "./search/expression.js";
import { searchFolder } from "./search/folder-search.js";
import { SEARCH_GROUP } from "./search/line-matcher.js";
import { createPatternTester, type PatternTester } from "./search/pattern-tester.js";

/** Left of the host's own limit, so that the answer says what is missing instead of being cut off. */
const DEADLINE_MARGIN_MS = 250;

/** Reads, lists or searches inside the project. Throws a `ToolError`. */
export async function read(input: ReadInput, context: ToolContext): Promise<ToolResult> {
  const request = readRequest(input);
  if (request.target !== undefined) requireWriting("read with target", context);
  const budget = budgetOf(request, context);
  const files: Files = (context.execution ?? nodeExecution()).files;
  const path = await guardPath(files, request.path, {
    folder: context.agent.folder,
    project: context.env.cwd,
  });
  if (path.missing)
    throw new ToolError("missing", `There is no ${shownName(request.path)}.`, { path: request.path });
  const patterns = await patternTester(request, budget, context.signal);
  try {
    const project = await files.realpath(context.env.cwd);
    const places = await credentialPlaces(files, project);
    const meter = newMeter(budget, context);
    const scope = { files, project, places, request, budget, meter, patterns };
    const shown = await view(path, scope);
    return request.target === undefined ? resultOf(shown) : await saveView(shown, request.target, context);
  } finally {
    await patterns.close();
  }
}

/** What is saved may be larger than what is shown. */
function budgetOf({ target }: ReadRequest, { env }: ToolContext): ReadBudget {
  const budget = readBudget(env.settings);
  return target === undefined ? budget : { ...budget, outputBytes: budget.artifactBytes };
}

function resultOf(view: ReadView): ToolResult {
  if ("blocks" in view) return view.blocks;
  const { text, notes, bare } = view;
  if (!bare || text === "" || notes.length === 0) return withNotes(text, notes);
  return [
    { type: "text", text },
    { type: "text", text: notesText(notes) },
  ];
}

async function view(path: GuardedPath, scope: ReadScope): Promise<ReadView> {
  const { kind } = await scope.files.lstat(path.real).catch((cause: unknown) => {
    throw unreadable(path.shown, cause);
  });
  if (kind === "directory") return folderView(path, scope);
  requireRegular(kind, path.shown);
  const { file, stat } = await openGuarded(scope.files, path, scope.places);
  try {
    return await fileView({ path, file, stat }, scope);
  } finally {
    await file.close();
  }
}

async function folderView(path: GuardedPath, scope: ReadScope): Promise<ReadView> {
  const { request } = scope;
  const ofFiles = (["lines", "characters", "bytes", "binary", "base64"] as const).find(
    (view) => request[view] !== undefined && request[view] !== false,
  );
  if (ofFiles !== undefined) {
    throw new ToolError("usage", `${shownName(path.shown)} is a folder; ${ofFiles} is for files.`, {
      argument: ofFiles,
    });
  }
  const { search } = request;
  const found = await (search === undefined ? folderListing(path, scope) : searchFolder(path, search, scope));
  return { ...found, bare: false };
}

async function patternTester(
  request: ReadRequest,
  budget: ReadBudget,
  signal: AbortSignal,
): Promise<PatternTester> {
  const { search, glob, exclude } = request;
  const regex = search !== undefined && "regex" in search.needle ? search.needle.regex : undefined;
  return createPatternTester({
    groups: {
      [SEARCH_GROUP]: regex === undefined ? [] : [expressionOf(regex, search?.ignoreCase ?? false)],
      [GLOB_GROUP]: await globExpressions(glob),
      [EXCLUDE_GROUP]: await globExpressions(exclude),
    },
    limitMs: budget.regexMs,
    signal,
  });
}

function newMeter(budget: ReadBudget, { signal, deadline }: ToolContext): ReadMeter {
  const end = Math.min(Date.now() + budget.timeoutMs, deadline - DEADLINE_MARGIN_MS);
  return new ReadMeter({ budget, signal, now: Date.now, deadline: end });
}
