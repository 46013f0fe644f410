-- SPDX-FileCopyrightText: 2026 The claimsd authors
-- SPDX-License-Identifier: Apache-2.0
--
-- Makes the tables through which the hosts of a fleet share archive marks, and the role of their users:
--
--     psql -v name=north -v schema=claims -f /usr/share/claimsd/fleet.sql claims
--     psql -c "CREATE ROLE claims LOGIN PASSWORD '...' IN ROLE claims_member" claims
--
-- It may be run again: what is there stays. See claimsd-fleet(7).

\set ON_ERROR_STOP on
\if :{?schema}
\else
  \set schema claims
\endif

BEGIN;

SELECT 'CREATE ROLE claims_member NOLOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'claims_member')
\gexec

CREATE SCHEMA IF NOT EXISTS :"schema";

-- One row: the fleet, and the number of the last transaction that has changed marks. Numbers are microseconds since 1970,
-- or one more than the last: in the order of commits, and never twice, also after the database was put back from a copy.
CREATE TABLE IF NOT EXISTS :"schema".fleet(
    one boolean PRIMARY KEY DEFAULT true CHECK (one), name text NOT NULL, version integer NOT NULL,
    revision bigint NOT NULL);

-- The numbers of the last 30 days, by which a host knows that the database is the one that it has read. Times are
-- milliseconds since 1970.
CREATE TABLE IF NOT EXISTS :"schema".revision(revision bigint PRIMARY KEY, at bigint NOT NULL);

-- The last change of each mark, also if it took the record out of the archive.
CREATE TABLE IF NOT EXISTS :"schema".mark(
    collection text COLLATE "C" NOT NULL, id bytea NOT NULL CHECK (octet_length(id) BETWEEN 1 AND 1024),
    archived boolean NOT NULL, at bigint NOT NULL CHECK (at BETWEEN 0 AND 9007199254740991),
    host text COLLATE "C" NOT NULL CHECK (host <> ''), "by" text NOT NULL, revision bigint NOT NULL,
    PRIMARY KEY (collection, id));
CREATE INDEX IF NOT EXISTS mark_revision ON :"schema".mark(revision, collection, id);
CREATE INDEX IF NOT EXISTS mark_unarchived ON :"schema".mark(at) WHERE NOT archived;

INSERT INTO :"schema".fleet(name, version, revision)
    VALUES (:'name', 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) ON CONFLICT DO NOTHING;
INSERT INTO :"schema".revision(revision, at)
    SELECT revision, (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM :"schema".fleet ON CONFLICT DO NOTHING;

GRANT USAGE ON SCHEMA :"schema" TO claims_member;
GRANT SELECT, UPDATE (revision) ON :"schema".fleet TO claims_member;
GRANT SELECT, INSERT, DELETE ON :"schema".revision TO claims_member;
GRANT SELECT, INSERT, UPDATE, DELETE ON :"schema".mark TO claims_member;

COMMIT;

SELECT name <> :'name' AS is_other, name AS other FROM :"schema".fleet
\gset
\if :is_other
  \warn the schema has the marks of the fleet :other already
\endif
