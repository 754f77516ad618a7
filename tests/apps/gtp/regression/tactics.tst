# What every player sees: takes, saves, lives and kills.

# A big chain in atari is taken.
1 boardsize 9
gogui-play_sequence b E5 w E4 b F5 w F4 b G5 w G4 b D5 w D4 b C5 w C4 b H4 w H5 b G6 w F6 b H6 w J5
gogui-play_sequence b J4 w D6 b B4 w C6 b C3 w B5 b D3 w B3 b E3 w A4 b F3
10 reg_genmove b
#? [G3]

# Two stones in the corner are dead, and black needs no move there.
2 boardsize 9
gogui-play_sequence b B3 w A2 b C2 w B2 b A3 w pass b C1 w B1 b E5 w pass
20 reg_genmove b
#? [!A1]

# The vital point of three in a row: who plays there decides.
3 boardsize 9
gogui-play_sequence b A2 w A3 b B2 w B3 b C2 w C3 b D2 w D3 b E1 w E3 b E2 w F1 b D1 w F2 b pass w E5 b pass w F3
gogui-play_sequence b pass w G5 b pass w C5 b pass w C7 b pass w G7 b pass
komi -65
30 reg_genmove w
#? [B1]
40 reg_genmove b
#? [B1]
