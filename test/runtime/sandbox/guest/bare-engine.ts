import { createRequire } from 'node:module';
import type IsolatedVm from 'isolated-vm';
import type QuickjsEmscripten from 'quickjs-emscripten';

const nodeRequire = createRequire(import.meta.url);

/** Runs a body as a program is run, in an engine that this library has not touched; tells its end as a text. */
const RUNNER = `(code, tell) => {
  const show = (value) => value === undefined ? 'undefined' : stringify(value);
  const { stringify } = JSON;
  let start;
  try { start = (0, eval)('(function(){"use strict";return async function(){' + code + '\\n}})')() } catch (error) { tell('syntax'); return }
  start().then((value) => tell('value ' + show(value)), (error) => tell('exception ' + error));
}`;

const STACK_BYTES = 64 * 1024;

async function isolate(code: string): Promise<string> {
  const ivm = nodeRequire('isolated-vm') as typeof IsolatedVm;
  const fresh = new ivm.Isolate({ memoryLimit: 128 });
  let end = 'nothing';
  const tell = new ivm.Callback((text: string) => {
    end = text;
  });
  fresh.createContextSync().evalClosureSync(`(${RUNNER})($0, $1)`, [code, tell], { timeout: 10_000 });
  fresh.dispose();
  return end;
}

async function quickjs(code: string): Promise<string> {
  const { getQuickJS } = nodeRequire('quickjs-emscripten') as typeof QuickjsEmscripten;
  const runtime = (await getQuickJS()).newRuntime();
  runtime.setMaxStackSize(STACK_BYTES);
  const context = runtime.newContext();
  let end = 'nothing';
  const tell = context.newFunction('tell', (text) => {
    end = context.getString(text);
  });
  const run = context.unwrapResult(context.evalCode(RUNNER));
  context.unwrapResult(context.callFunction(run, context.undefined, context.newString(code), tell));
  runtime.executePendingJobs();
  return end;
}

/** Runs a body in the bare engine; `value <json>`, `exception <text>` or `syntax`. */
export const bareEngines = { 'isolated-vm': isolate, quickjs } as const;
