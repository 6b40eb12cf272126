/** How signing keys are shown. */
export const keyColumns = {
  columns: ['tenant_id', 'kid', 'state', 'created_at', 'signs_from', 'published_until'],
  needed: ['kid', 'state', 'signs_from', 'published_until', 'tenant_id', 'created_at'],
  whole: ['kid'],
} as const;
