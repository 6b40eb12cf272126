-- Distributes the tables of the service by tenant on Citus. Run once, on the coordinator, after the first start of
-- `serve` has made the tables, and before there are users:
--   psql DATABASE --file citus.sql
-- Read in the documentation of Citus, not run: see distributed.md.

-- Found by a key without a tenant, small, and read by every node.
SELECT create_reference_table('tenants');
SELECT create_reference_table('applications');
SELECT create_reference_table('key_file');

SELECT create_distributed_table('numbers', 'tenant');
SELECT create_distributed_table('users', 'tenant', colocate_with => 'numbers');
SELECT create_distributed_table('readable_names', 'tenant', colocate_with => 'numbers');
SELECT create_distributed_table('unique_extensions', 'tenant', colocate_with => 'numbers');
SELECT create_distributed_table('tokens', 'tenant', colocate_with => 'numbers');
SELECT create_distributed_table('grants', 'tenant', colocate_with => 'numbers');
SELECT create_distributed_table('password_history', 'tenant', colocate_with => 'numbers');
SELECT create_distributed_table('login_attempts', 'tenant', colocate_with => 'numbers');
SELECT create_distributed_table('signing_keys', 'tenant', colocate_with => 'numbers');
