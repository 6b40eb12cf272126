import { addApi } from './commands/api.ts';
import { addAppsCreate, addAppsList, addAppsRevoke, addAppsRotateSecret } from './commands/apps/apps.ts';
import { addAudit } from './commands/audit.ts';
import { addComplete } from './commands/complete.ts';
import { addCompletion } from './commands/completion.ts';
import { addCutover } from './commands/cutover.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEvidence } from './commands/evidence/evidence.ts';
import { addExplain } from './commands/explain.ts';
import { addHashIdentify } from './commands/hash/identify.ts';
import { addHashVerify } from './commands/hash/verify.ts';
import { addHelp } from './commands/help/help.ts';
import { addImportHashes } from './commands/import-hashes/import-hashes.ts';
import { addJobPurge } from './commands/job/purge.ts';
import { addJobRetarget } from './commands/job/retarget.ts';
import { addKeysList, addKeysReset, addKeysRotate } from './commands/keys/keys.ts';
import { addLog } from './commands/log.ts';
import { addLogin } from './commands/login.ts';
import { addLogout } from './commands/logout.ts';
import { addMcp } from './commands/mcp.ts';
import { addApply } from './commands/plan/apply.ts';
import { addCompare } from './commands/plan/compare.ts';
import { addPlan } from './commands/plan/plan.ts';
import { addUndo } from './commands/plan/undo.ts';
import { addAssess } from './commands/prepare/assess.ts';
import { addForecast } from './commands/prepare/forecast.ts';
import { addTemplate } from './commands/prepare/template.ts';
import { addProfilesList, addProfilesRemove, addProfilesUse } from './commands/profiles/profiles.ts';
import { addRecipeList, addRecipeShow } from './commands/recipe/built-in.ts';
import { addRecipeCheck } from './commands/recipe/check.ts';
import { addRecipeMake } from './commands/recipe/make.ts';
import { addRuns } from './commands/runs.ts';
import { addSchema } from './commands/schema.ts';
import { addServe } from './commands/serve/serve.ts';
import { addSessionsEnd } from './commands/sessions/end.ts';
import { addSsoCheck, addSsoTicket, addSsoVerify } from './commands/sso/sso.ts';
import { addStatus } from './commands/status.ts';
import {
  addTenantApply,
  addTenantCheck,
  addTenantCopy,
  addTenantLearn,
  addTenantShow,
} from './commands/tenant/tenant.ts';
import { addUsersCreate } from './commands/users/create.ts';
import { addUsersDisable } from './commands/users/disable.ts';
import { addUsersEnsure } from './commands/users/ensure.ts';
import { addUsersGet } from './commands/users/get.ts';
import { addUsersList } from './commands/users/list.ts';
import { addUsersUpdate } from './commands/users/update.ts';
import type { AddCommand } from './context/context.ts';

export interface CommandGroup {
  description: string;
  adds: () => readonly AddCommand[];
}

/** The commands on users, which also work without `users`. */
const userCommands = {
  list: () => addUsersList,
  get: () => addUsersGet,
  create: () => addUsersCreate,
  update: () => addUsersUpdate,
  ensure: () => addUsersEnsure,
  disable: () => addUsersDisable,
};

/**
 * The possible first words of a command line, under the headings of the help. Commands are given by functions, because the
 * build (`src/bundle/lazy-modules.mjs`) loads a file of a command only when such a function uses it.
 */
export const commandsByHeading: Readonly<
  Record<string, Readonly<Record<string, (() => AddCommand) | CommandGroup>>>
> = {
  Profiles: {
    login: () => addLogin,
    logout: () => addLogout,
    status: () => addStatus,
    doctor: () => addDoctor,
    profiles: {
      description: 'Manage profiles for several tenants',
      adds: () => [addProfilesList, addProfilesUse, addProfilesRemove],
    },
  },
  Users: {
    ...userCommands,
    users: {
      description: 'List, find, create, update and disable users',
      adds: () => Object.values(userCommands).map((command) => command()),
    },
    sso: { description: 'Single sign-on tickets', adds: () => [addSsoVerify, addSsoTicket, addSsoCheck] },
    api: () => addApi,
  },
  'Import and plans': {
    assess: () => addAssess,
    template: () => addTemplate,
    forecast: () => addForecast,
    recipe: {
      description: 'Recipes: how records of older systems become users',
      adds: () => [addRecipeList, addRecipeShow, addRecipeMake, addRecipeCheck],
    },
    hash: {
      description: 'Identify and verify legacy password hashes, offline',
      adds: () => [addHashIdentify, addHashVerify],
    },
    'import-hashes': () => addImportHashes,
    plan: () => addPlan,
    apply: () => addApply,
    compare: () => addCompare,
    cutover: () => addCutover,
    undo: () => addUndo,
  },
  Records: {
    runs: () => addRuns,
    log: () => addLog,
    evidence: () => addEvidence,
    job: { description: 'Records of a job', adds: () => [addJobRetarget, addJobPurge] },
  },
  'Local service': {
    serve: () => addServe,
    audit: () => addAudit,
    tenant: {
      description: 'Tenant definitions of the local service',
      adds: () => [addTenantShow, addTenantCheck, addTenantApply, addTenantCopy, addTenantLearn],
    },
    apps: {
      description: 'Applications of the local service',
      adds: () => [addAppsList, addAppsCreate, addAppsRotateSecret, addAppsRevoke],
    },
    sessions: { description: 'Sessions of the local service', adds: () => [addSessionsEnd] },
    keys: {
      description: 'Keys of the local service that sign id tokens',
      adds: () => [addKeysList, addKeysRotate, addKeysReset],
    },
  },
  'Help and tools': {
    help: () => addHelp,
    explain: () => addExplain,
    schema: () => addSchema,
    completion: () => addCompletion,
    complete: () => addComplete,
    mcp: () => addMcp,
  },
};

export const firstWords: readonly string[] = Object.values(commandsByHeading).flatMap(Object.keys);
