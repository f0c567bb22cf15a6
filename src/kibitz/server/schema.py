"""The tables of a store, version by version.

A store knows the version it was written by; opening an older one takes it through the steps that
it lacks. A step never changes once it has been released: add another.
"""

from kibitz.server.store import BadStore

SQLITE = (
    """
CREATE TABLE IF NOT EXISTS key (value BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS match (
    id TEXT PRIMARY KEY, at INTEGER NOT NULL, game TEXT NOT NULL, rules INTEGER NOT NULL,
    players INTEGER NOT NULL, options TEXT NOT NULL, clock INTEGER, hints INTEGER NOT NULL,
    open INTEGER NOT NULL, commitment TEXT NOT NULL, secret TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entry (
    match TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
    seat INTEGER, body TEXT NOT NULL, cid TEXT, PRIMARY KEY (match, seq));
CREATE INDEX IF NOT EXISTS turning ON entry (kind, match) WHERE kind IN ('start', 'last');
""",
    # The tables that have not begun, in a list that the database itself keeps; who sits where and
    # what is old, without reading every entry; something to write when writing is to be tried.
    """
CREATE TABLE gathering (id TEXT PRIMARY KEY, at INTEGER NOT NULL, open INTEGER NOT NULL)
    WITHOUT ROWID;
INSERT INTO gathering SELECT id, at, open FROM match
    WHERE NOT EXISTS (SELECT 1 FROM entry WHERE kind = 'start' AND match = id);
CREATE INDEX gathering_open ON gathering (at) WHERE open;
CREATE INDEX gathering_at ON gathering (at);
CREATE TRIGGER made AFTER INSERT ON match
    BEGIN INSERT INTO gathering VALUES (NEW.id, NEW.at, NEW.open); END;
CREATE TRIGGER begun AFTER INSERT ON entry WHEN NEW.kind IN ('close', 'start')
    BEGIN DELETE FROM gathering WHERE id = NEW.match; END;
CREATE TRIGGER deleted AFTER DELETE ON match
    BEGIN
        DELETE FROM gathering WHERE id = OLD.id;
        DELETE FROM entry WHERE match = OLD.id;
    END;
CREATE INDEX seating ON entry (match, seq)
    WHERE kind IN ('sit', 'stand', 'bot', 'close', 'start', 'last');
CREATE INDEX dated ON entry (kind, at) WHERE kind IN ('say', 'last');
DROP INDEX turning;
CREATE TABLE probe (one INTEGER PRIMARY KEY CHECK (one), bytes BLOB NOT NULL);
""",
)

POSTGRES = (
    """
CREATE TABLE IF NOT EXISTS kibitz_key (one BOOLEAN PRIMARY KEY CHECK (one), value BYTEA NOT NULL);
CREATE TABLE IF NOT EXISTS kibitz_match (
    id TEXT PRIMARY KEY, at BIGINT NOT NULL, game TEXT NOT NULL, rules INTEGER NOT NULL,
    players INTEGER NOT NULL, options TEXT NOT NULL, clock INTEGER, hints BOOLEAN NOT NULL,
    open BOOLEAN NOT NULL, commitment TEXT NOT NULL, secret TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS kibitz_entry (
    match TEXT NOT NULL, seq INTEGER NOT NULL, at BIGINT NOT NULL, kind TEXT NOT NULL,
    seat INTEGER, body TEXT NOT NULL, cid TEXT, PRIMARY KEY (match, seq));
CREATE INDEX IF NOT EXISTS kibitz_turning ON kibitz_entry (kind, match)
    WHERE kind IN ('start', 'last');
""",
    # As above; and which servers are alive.
    """
CREATE TABLE kibitz_gathering (id TEXT PRIMARY KEY, at BIGINT NOT NULL, open BOOLEAN NOT NULL);
INSERT INTO kibitz_gathering SELECT id, at, open FROM kibitz_match
    WHERE NOT EXISTS (SELECT 1 FROM kibitz_entry WHERE kind = 'start' AND match = id);
CREATE INDEX kibitz_gathering_open ON kibitz_gathering (at) WHERE open;
CREATE INDEX kibitz_gathering_at ON kibitz_gathering (at);
CREATE FUNCTION kibitz_made() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO kibitz_gathering VALUES (NEW.id, NEW.at, NEW.open);
    RETURN NULL;
END $$;
CREATE FUNCTION kibitz_begun() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM kibitz_gathering WHERE id = NEW.match;
    RETURN NULL;
END $$;
CREATE FUNCTION kibitz_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM kibitz_gathering WHERE id = OLD.id;
    DELETE FROM kibitz_entry WHERE match = OLD.id;
    RETURN NULL;
END $$;
CREATE TRIGGER kibitz_made AFTER INSERT ON kibitz_match
    FOR EACH ROW EXECUTE FUNCTION kibitz_made();
CREATE TRIGGER kibitz_begun AFTER INSERT ON kibitz_entry
    FOR EACH ROW WHEN (NEW.kind IN ('close', 'start')) EXECUTE FUNCTION kibitz_begun();
CREATE TRIGGER kibitz_deleted AFTER DELETE ON kibitz_match
    FOR EACH ROW EXECUTE FUNCTION kibitz_deleted();
CREATE INDEX kibitz_seating ON kibitz_entry (match, seq)
    WHERE kind IN ('sit', 'stand', 'bot', 'close', 'start', 'last');
CREATE INDEX kibitz_dated ON kibitz_entry (kind, at) WHERE kind IN ('say', 'last');
DROP INDEX kibitz_turning;
CREATE TABLE kibitz_server (name TEXT PRIMARY KEY, seen TIMESTAMPTZ NOT NULL);
""",
)

NEWEST = len(SQLITE)
assert len(POSTGRES) == NEWEST


def check_age(store: str, version: int) -> None:
    """Refuse a store that a newer Kibitz has written."""
    if version > NEWEST:
        raise BadStore(
            f"{store} was written by a newer Kibitz (schema {version}, this one knows {NEWEST});"
            " run that one, or restore a backup from before"
        )
