"""The board in the browser: tables of Go for people and programs, and pages to watch teams.

From the inside out: `course` (the moves of one game), `clock`, `table` (what seats may do, as events),
`store` (events on disk), `thinking` and `thinker` (programs in processes of their own), `live` (a table
with its pages), `lobby` (all tables), `server` (the door). `protocol` is all that pages and server say.
"""
